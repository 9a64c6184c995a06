// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// compiles TEXT OPTION HEADER NAME: NVRTC compiles a kernel with this text in it, and with this
// option, header ("-": none) and name of the source. The kernel runs. The program prints what the
// kernel writes, and the log.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

int main(int count, char** arguments) {
  if (count != 5)
    return 2;
  const std::string source = std::string(R"(
#include "factor.h"
template <typename T> __global__ void scaled(int* to) {
  *to = )") + arguments[1] + " * FACTOR * (int)sizeof(T);\n}\n";
  const char *header = arguments[3], *name = "factor.h", *option = arguments[2];
  const int headers = std::strcmp(header, "-") != 0;
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source.c_str(), arguments[4], headers, &header, &name) !=
          NVRTC_SUCCESS ||
      nvrtcAddNameExpression(program, "scaled<short>") != NVRTC_SUCCESS)
    return 3;
  const nvrtcResult result = nvrtcCompileProgram(program, 1, &option);
  size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::vector<char> log(size), image;
  nvrtcGetProgramLog(program, log.data());
  if (result != NVRTC_SUCCESS) {
    std::printf("%s\n%s", nvrtcGetErrorString(result), log.data());
    return 1;
  }
  nvrtcGetPTXSize(program, &size);
  image.resize(size);
  nvrtcGetPTX(program, image.data());
  const char* lowered = nullptr;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr memory = 0;
  void* values[] = {&memory};
  int written = 0;
  if (nvrtcGetLoweredName(program, "scaled<short>", &lowered) != NVRTC_SUCCESS || cuInit(0) ||
      cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) ||
      cuCtxSetCurrent(context) || cuModuleLoadData(&module, image.data()) ||
      cuModuleGetFunction(&function, module, lowered) || cuMemAlloc(&memory, sizeof written) ||
      cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, values, nullptr) ||
      cuMemcpyDtoH(&written, memory, sizeof written))
    return 4;
  std::printf("%d\n%s", written, log.data());
  return 0;
}

#include <cuda.h>
#include <nvrtc.h>

#include <string>

int main() {
  nvrtcProgram program;
  size_t size = 0;
  if (nvrtcCreateProgram(&program, "extern \"C\" __global__ void set(int* to) { *to = 42; }",
                         "set.cu", 0, nullptr, nullptr) ||
      nvrtcCompileProgram(program, 0, nullptr) || nvrtcGetPTXSize(program, &size))
    return 1;
  std::string ptx(size, '\0');
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction set;
  CUdeviceptr to;
  int value = 0;
  if (nvrtcGetPTX(program, &ptx[0]) || cuInit(0) || cuDeviceGet(&device, 0) ||
      cuCtxCreate(&context, 0, device) || cuModuleLoadData(&module, ptx.c_str()) ||
      cuModuleGetFunction(&set, module, "set") || cuMemAlloc(&to, sizeof value))
    return 2;
  void* arguments[] = {&to};
  if (cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) ||
      cuMemcpyDtoH(&value, to, sizeof value))
    return 3;
  return value == 42 ? 0 : 4;
}

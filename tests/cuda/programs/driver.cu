// The driver API and NVRTC: kernels are compiled and loaded while the program runs.
// Link: -lcuda -lnvrtc
// CHECK-DAG: module1.ptx:2:9: error: the PTX is for sm_90, and the device is an sm_80
// CHECK-DAG: gputest-cuda: error: the module is a cubin for a GPU
// CHECK-DAG: kernel prints 7
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

static const char* const kSource = R"(
#include "factor.h"
#include <cstdio>
__constant__ int offset = 3;
__device__ int counter;
namespace ns {
template <typename T> __global__ void scale(T* data, T by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * by * FACTOR + offset;
}
}
extern "C" __global__ void count(int limit) {
  if (threadIdx.x < limit)
    atomicAdd(&counter, STEP);
}
extern "C" __global__ void __launch_bounds__(128) shared_sum(int* out, char small, double big) {
  extern __shared__ int part[];
  __shared__ int first;
  if (threadIdx.x == 0)
    first = small;
  part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = first + (int)big;
    for (int i = 0; i < blockDim.x; ++i)
      sum += part[i];
    *out = sum;
  }
}
extern "C" __global__ void prints(int value) { printf("kernel prints %d\n", value); }
)";

static void errors() {
  CUdevice device = -1;
  const char* text = nullptr;
  EXPECT(cuDeviceGet(&device, 0) == CUDA_ERROR_NOT_INITIALIZED);
  CUmoduleLoadingMode mode{};
  EXPECT(cuModuleGetLoadingMode(&mode) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE && cuInit(0) == CUDA_SUCCESS);
  EXPECT(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  EXPECT(cuGetErrorName(CUDA_ERROR_NOT_FOUND, &text) == CUDA_SUCCESS &&
         std::string(text) == "CUDA_ERROR_NOT_FOUND");
  EXPECT(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text) == CUDA_SUCCESS &&
         std::string(text) == "invalid argument");
  EXPECT(cuGetErrorName(static_cast<CUresult>(12345), &text) == CUDA_ERROR_INVALID_VALUE && !text);
  CUdeviceptr pointer = 0;
  EXPECT(cuMemAlloc(&pointer, 4) == CUDA_ERROR_INVALID_CONTEXT); // there is none
}

static void devices() {
  int count = 0, value = 0, major = 0;
  char name[64];
  size_t bytes = 0;
  EXPECT(cuDeviceGetCount(&count) == CUDA_SUCCESS && count == 1);
  EXPECT(cuDeviceGetName(name, sizeof name, 0) == CUDA_SUCCESS && std::strlen(name) > 0);
  EXPECT(cuDeviceTotalMem(&bytes, 0) == CUDA_SUCCESS && bytes == size_t{16} << 30);
  EXPECT(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) == CUDA_SUCCESS &&
         value == 32);
  EXPECT(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0) ==
             CUDA_SUCCESS &&
         major == 8);
  EXPECT(cuDriverGetVersion(&value) == CUDA_SUCCESS && value == CUDA_VERSION);
  // Names that the driver API spells in its own way.
  for (const CUdevice_attribute attribute :
       {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH,
        CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED,
        CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK, CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK,
        CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER})
    EXPECT(cuDeviceGetAttribute(&value, attribute, 0) == CUDA_SUCCESS && value > 0);
  EXPECT(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0) == CUDA_SUCCESS &&
         value == 0);
  const char* error_name = nullptr;
  EXPECT(cuGetErrorName(CUDA_ERROR_DEVICE_UNAVAILABLE, &error_name) == CUDA_SUCCESS &&
         std::strcmp(error_name, "CUDA_ERROR_DEVICE_UNAVAILABLE") == 0);
  void* function = nullptr;
  EXPECT(cuGetProcAddress("cuMemAlloc", &function, CUDA_VERSION, 0, nullptr) == CUDA_SUCCESS &&
         function == reinterpret_cast<void*>(&cuMemAlloc));
  EXPECT(cuGetProcAddress("cuNothing", &function, CUDA_VERSION, 0, nullptr) ==
         CUDA_ERROR_NOT_FOUND);
}

static void contexts() {
  CUcontext primary = nullptr, mine = nullptr, current = nullptr;
  EXPECT(cuCtxGetCurrent(&current) == CUDA_SUCCESS && !current);
  EXPECT(cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS && primary);
  EXPECT(cuCtxCreate(&mine, CU_CTX_SCHED_AUTO, 0) == CUDA_SUCCESS);
  EXPECT(cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == mine);
  EXPECT(cuCtxEnablePeerAccess(mine, 0) == CUDA_ERROR_INVALID_CONTEXT); // itself
  EXPECT(cuCtxPopCurrent(&current) == CUDA_SUCCESS && current == mine);
  EXPECT(cuCtxDestroy(mine) == CUDA_SUCCESS);
  EXPECT(cuCtxSetCurrent(mine) == CUDA_ERROR_INVALID_CONTEXT);
  CUctxCreateParams params{};
  EXPECT(cuCtxCreate(&mine, &params, 0, 0) == CUDA_SUCCESS && cuCtxDestroy(mine) == CUDA_SUCCESS);
  params.numExecAffinityParams = 1;
  EXPECT(cuCtxCreate(&mine, &params, 0, 0) == CUDA_ERROR_NOT_SUPPORTED);
  EXPECT(cuCtxSetCurrent(primary) == CUDA_SUCCESS);
}

static std::string compiled(const char* architecture, std::string* cubin,
                            std::vector<std::string>& names) {
  const char *header = "#define FACTOR 2\n", *header_name = "factor.h";
  nvrtcProgram program = nullptr;
  EXPECT(nvrtcCreateProgram(&program, kSource, "kernels.cu", 1, &header, &header_name) ==
         NVRTC_SUCCESS);
  const char* const wanted[] = {"ns::scale<float>", "&ns::scale<int>", "&counter", "&offset"};
  for (const char* name : wanted)
    EXPECT(nvrtcAddNameExpression(program, name) == NVRTC_SUCCESS);
  const char* const options[] = {architecture,       "--std=c++17",  "-DSTEP=5",
                                 "--use_fast_math",  "-lineinfo",    "--device-int128",
                                 "-split-compile=2", "--diag-error", "20"};
  const nvrtcResult result = nvrtcCompileProgram(program, 9, options);
  size_t size = 0;
  EXPECT(nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS);
  std::string log(size, '\0'), ptx;
  EXPECT(nvrtcGetProgramLog(program, log.data()) == NVRTC_SUCCESS);
  EXPECT(result == NVRTC_SUCCESS);
  if (result != NVRTC_SUCCESS)
    std::printf("%s\n", log.c_str());
  EXPECT(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS && size > 1);
  ptx.resize(size);
  EXPECT(nvrtcGetPTX(program, ptx.data()) == NVRTC_SUCCESS && std::strlen(ptx.c_str()) + 1 == size);
  EXPECT(nvrtcGetCUBINSize(program, &size) == NVRTC_SUCCESS && (size > 0) == (cubin != nullptr));
  if (cubin) {
    cubin->resize(size);
    EXPECT(nvrtcGetCUBIN(program, cubin->data()) == NVRTC_SUCCESS);
  }
  for (const char* name : wanted) {
    const char* lowered = "";
    EXPECT(nvrtcGetLoweredName(program, name, &lowered) == NVRTC_SUCCESS);
    names.push_back(lowered);
  }
  EXPECT(nvrtcAddNameExpression(program, "late") ==
         NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  EXPECT(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS && !program);
  return ptx.c_str(); // up to the zero, as programs take it
}

static void wrong_sources() {
  const auto log_of = [](const char* source, const char* option, const char* name,
                         nvrtcResult expected) {
    nvrtcProgram program = nullptr;
    EXPECT(nvrtcCreateProgram(&program, source, "wrong.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
    if (name)
      nvrtcAddNameExpression(program, name);
    const nvrtcResult result = nvrtcCompileProgram(program, option ? 1 : 0, &option);
    EXPECT(result == expected);
    size_t size = 0;
    EXPECT(nvrtcGetLTOIRSize(program, &size) == NVRTC_ERROR_INVALID_PROGRAM);
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, '\0');
    nvrtcGetProgramLog(program, log.data());
    EXPECT(nvrtcGetPTXSize(program, &size) == NVRTC_ERROR_INVALID_PROGRAM);
    nvrtcDestroyProgram(&program);
    return log;
  };
  EXPECT(log_of("\n__global__ void f() { nowhere(); }", nullptr, nullptr, NVRTC_ERROR_COMPILATION)
             .find("wrong.cu:2:23: error: use of undeclared identifier 'nowhere'") !=
         std::string::npos);
  EXPECT(log_of("", "--no-such-option", nullptr, NVRTC_ERROR_INVALID_OPTION)
             .find("unrecognized option --no-such-option") != std::string::npos);
  log_of("", nullptr, "nothing<int>", NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  EXPECT(std::string(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION)) == "NVRTC_ERROR_COMPILATION");
}

static void launches(const std::string& image, const std::vector<std::string>& names) {
  CUmodule module = nullptr;
  char log[64] = "x";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  EXPECT(cuModuleLoadDataEx(&module, image.c_str(), 2, options, values) == CUDA_SUCCESS && !log[0]);
  CUfunction scale = nullptr, count = nullptr, sum = nullptr, prints = nullptr, none = nullptr;
  EXPECT(cuModuleGetFunction(&scale, module, names[0].c_str()) == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&count, module, "count") == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&sum, module, "shared_sum") == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&prints, module, "prints") == CUDA_SUCCESS);
  EXPECT(cuModuleGetFunction(&none, module, "none") == CUDA_ERROR_NOT_FOUND);

  int n = 100;
  float by = 1.5F, first[100];
  CUdeviceptr data = 0;
  EXPECT(cuMemAlloc(&data, sizeof first) == CUDA_SUCCESS);
  EXPECT(cuMemsetD32(data, 0x40000000, 100) == CUDA_SUCCESS); // 2.0
  EXPECT(cuCtxSynchronize() == CUDA_SUCCESS); // the stream does not wait for it
  void* arguments[] = {&data, &by, &n};
  CUstream stream = nullptr;
  CUevent begin = nullptr, end = nullptr;
  float milliseconds = -1;
  EXPECT(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
  EXPECT(cuEventCreate(&begin, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
  EXPECT(cuEventCreate(&end, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
  EXPECT(cuEventRecord(begin, stream) == CUDA_SUCCESS);
  EXPECT(cuLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr) == CUDA_SUCCESS);
  EXPECT(cuEventRecord(end, stream) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoHAsync(first, data, sizeof first, stream) == CUDA_SUCCESS);
  EXPECT(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  EXPECT(cuEventElapsedTime(&milliseconds, begin, end) == CUDA_SUCCESS && milliseconds >= 0);
  EXPECT(first[0] == 9 && first[99] == 9);

  CUdeviceptr counter = 0, offset = 0;
  size_t bytes = 0;
  int got = 0, limit = 20;
  EXPECT(cuModuleGetGlobal(&counter, &bytes, module, names[2].c_str()) == CUDA_SUCCESS &&
         bytes == 4);
  EXPECT(cuModuleGetGlobal(&offset, &bytes, module, "offset") == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(&got, offset, 4) == CUDA_SUCCESS && got == 3);
  size_t size = sizeof limit;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &limit, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  EXPECT(cuLaunchKernel(count, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(&got, counter, 4) == CUDA_SUCCESS && got == 100);

  char small = 4;
  double big = 5.5;
  void* of_sum[] = {&data, &small, &big};
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 64;
  config.sharedMemBytes = 64 * sizeof(int);
  CUlaunchAttribute attributes[1] = {};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attributes[0].value.cooperative = 1;
  config.attrs = attributes;
  config.numAttrs = 1;
  EXPECT(cuLaunchKernelEx(&config, sum, of_sum, nullptr) == CUDA_SUCCESS);
  config.gridDimX = 1000; // cannot all be there at once
  EXPECT(cuLaunchKernelEx(&config, sum, of_sum, nullptr) == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  EXPECT(cuMemcpyDtoH(&got, data, 4) == CUDA_SUCCESS && got == 4 + 5 + 64 * 63 / 2);
  EXPECT(cuFuncGetAttribute(&got, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, sum) == CUDA_SUCCESS &&
         got == 128);
  EXPECT(cuFuncGetAttribute(&got, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, sum) == CUDA_SUCCESS &&
         got == 4);
  EXPECT(cuFuncSetAttribute(sum, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000) ==
         CUDA_SUCCESS);
  EXPECT(cuLaunchKernel(sum, 1, 1, 1, 256, 1, 1, 1024, nullptr, of_sum, nullptr) ==
         CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  EXPECT(cuLaunchKernel(sum, 0, 1, 1, 64, 1, 1, 256, nullptr, of_sum, nullptr) ==
         CUDA_ERROR_INVALID_VALUE);
  int blocks = 0, least = 0, threads = 0;
  EXPECT(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum, 128, 0) == CUDA_SUCCESS &&
         blocks == 16);
  EXPECT(cuOccupancyMaxPotentialBlockSize(&least, &threads, sum, nullptr, 0, 0) == CUDA_SUCCESS &&
         threads == 128);
  size_t at = 0, parameter = 0;
  EXPECT(cuFuncGetParamInfo(sum, 2, &at, &parameter) == CUDA_SUCCESS && at == 16 && parameter == 8);
  int seven = 7;
  void* of_prints[] = {&seven};
  EXPECT(cuLaunchKernel(prints, 1, 1, 1, 1, 1, 1, 0, nullptr, of_prints, nullptr) == CUDA_SUCCESS);
  EXPECT(cuCtxSynchronize() == CUDA_SUCCESS);

  // The runtime API knows the same memory and the same kernels, and none of the errors above.
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(cudaMemcpy(&got, reinterpret_cast<void*>(counter), 4, cudaMemcpyDeviceToHost) ==
         cudaSuccess);
  EXPECT(cudaLaunchKernel(count, dim3(1), dim3(32), of_prints, 0, nullptr) == cudaSuccess);
  EXPECT(cuMemcpyDtoH(&got, counter, 4) == CUDA_SUCCESS && got == 135);

  CUmodule again = nullptr; // has variables of its own
  EXPECT(cuModuleLoadData(&again, image.c_str()) == CUDA_SUCCESS);
  CUdeviceptr other = 0;
  EXPECT(cuModuleGetGlobal(&other, nullptr, again, "counter") == CUDA_SUCCESS && other != counter);
  EXPECT(cuMemcpyDtoH(&got, other, 4) == CUDA_SUCCESS && got == 0);
  EXPECT(cuModuleUnload(again) == CUDA_SUCCESS &&
         cuModuleUnload(again) == CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cuMemFree(data) == CUDA_SUCCESS && cuMemFree(data) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuEventDestroy(begin) == CUDA_SUCCESS && cuEventDestroy(end) == CUDA_SUCCESS &&
         cuStreamDestroy(stream) == CUDA_SUCCESS);
  EXPECT(cuModuleUnload(module) == CUDA_SUCCESS);
}

static void copies() {
  unsigned char host[6][8], back[6][8] = {};
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 8; ++x)
      host[y][x] = static_cast<unsigned char>(16 * y + x);
  CUdeviceptr rows = 0;
  size_t pitch = 0;
  EXPECT(cuMemAllocPitch(&rows, &pitch, 8, 6, 4) == CUDA_SUCCESS && pitch >= 8);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.srcPitch = 8;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = rows;
  copy.dstPitch = pitch;
  copy.WidthInBytes = 8;
  copy.Height = 6;
  EXPECT(cuMemcpy2D(&copy) == CUDA_SUCCESS);
  CUarray array = nullptr;
  CUDA_ARRAY_DESCRIPTOR descriptor{};
  descriptor.Width = 4;
  descriptor.Height = 6;
  descriptor.Format = CU_AD_FORMAT_UNSIGNED_INT16;
  descriptor.NumChannels = 1;
  EXPECT(cuArrayCreate(&array, &descriptor) == CUDA_SUCCESS);
  copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = rows;
  copy.srcPitch = pitch;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 8;
  copy.Height = 6;
  EXPECT(cuMemcpy2D(&copy) == CUDA_SUCCESS);
  copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.srcXInBytes = 2;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = back;
  copy.dstPitch = 8;
  copy.WidthInBytes = 6;
  copy.Height = 5;
  EXPECT(cuMemcpy2D(&copy) == CUDA_SUCCESS);
  EXPECT(back[0][0] == host[1][2] && back[4][5] == host[5][7] && back[0][6] == 0);
  EXPECT(cuArrayDestroy(array) == CUDA_SUCCESS);
  EXPECT(cuMemsetD2D16(rows, pitch, 0x0102, 3, 2) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(back, rows + pitch, 8) == CUDA_SUCCESS && back[0][0] == 2 &&
         back[0][5] == 1 && back[0][6] == 16 + 6);
  EXPECT(cuMemsetD32(rows + 1, 0, 1) == CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr begin = 0;
  size_t size = 0;
  EXPECT(cuMemGetAddressRange(&begin, &size, rows + 5) == CUDA_SUCCESS && begin == rows &&
         size == pitch * 6);
  CUmemorytype type{};
  EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, rows) == CUDA_SUCCESS &&
         type == CU_MEMORYTYPE_DEVICE);
  EXPECT(cuMemFree(rows) == CUDA_SUCCESS);
}

static void refused() {
  CUmodule module = nullptr;
  EXPECT(cuModuleLoadData(&module, ".version 8.5\n.target sm_90\n") == CUDA_ERROR_INVALID_PTX);
  EXPECT(cuModuleLoadData(&module, "no code") == CUDA_ERROR_INVALID_IMAGE);
  EXPECT(cuModuleLoadData(&module, "") == CUDA_ERROR_INVALID_IMAGE);
  EXPECT(cuModuleLoadData(&module,
                          "\x7f"
                          "ELF\2\1 for CUDA...\xbe\0\0\0\0\0\0\0\0") == CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT(cuModuleLoad(&module, "/nowhere") == CUDA_ERROR_FILE_NOT_FOUND);
}

int main() {
  errors();
  devices();
  contexts();
  wrong_sources();
  std::vector<std::string> names;
  std::string cubin;
  const std::string ptx = compiled("--gpu-architecture=compute_80", nullptr, names);
  launches(ptx, names);
  EXPECT(names[1] == "_ZN2ns5scaleIiEEvPT_S1_i" && names[3] == "offset");
  compiled("--gpu-architecture=sm_80", &cubin, names);
  launches(cubin, names);
  copies();
  refused();
  return wrong;
}

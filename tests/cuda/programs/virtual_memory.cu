// The driver API's virtual memory: reserved addresses, and what is mapped there. And its linker.
// Link: -lcuda -lnvrtc
// CHECK-DAG: real:2:16: error: 'and what follows is no PTX at all' is no target
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

__global__ void fill(int* p, size_t n, int value) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n)
    p[i] = value + static_cast<int>(i);
}

static CUmemAllocationProp of_device() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = 0;
  return properties;
}

static int at(CUdeviceptr pointer, size_t index) {
  int value = -1;
  EXPECT(cuMemcpyDtoH(&value, pointer + index * sizeof(int), sizeof value) == CUDA_SUCCESS);
  return value;
}

static void mapped() {
  int supported = 0;
  EXPECT(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                              0) == CUDA_SUCCESS &&
         supported == 1);
  const CUmemAllocationProp properties = of_device();
  size_t step = 0;
  EXPECT(cuMemGetAllocationGranularity(&step, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) ==
             CUDA_SUCCESS &&
         step > 0);
  CUdeviceptr begin = 0;
  EXPECT(cuMemAddressReserve(&begin, 4 * step, 0, 0, 0) == CUDA_SUCCESS && begin % step == 0);
  CUmemGenericAllocationHandle one = 0, two = 0;
  EXPECT(cuMemCreate(&one, step, &properties, 0) == CUDA_SUCCESS);
  EXPECT(cuMemCreate(&two, 2 * step, &properties, 0) == CUDA_SUCCESS);
  EXPECT(cuMemMap(begin, step, 0, one, 0) == CUDA_SUCCESS);
  EXPECT(cuMemMap(begin + step, 2 * step, 0, two, 0) == CUDA_SUCCESS);
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  EXPECT(cuMemSetAccess(begin, 3 * step, &access, 1) == CUDA_SUCCESS);
  unsigned long long flags = 0;
  EXPECT(cuMemGetAccess(&flags, &properties.location, begin + step) == CUDA_SUCCESS &&
         flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);

  // A kernel and a copy go over the border of the two.
  const size_t count = 3 * step / sizeof(int);
  fill<<<static_cast<unsigned>((count + 255) / 256), 256>>>(reinterpret_cast<int*>(begin), count,
                                                            7);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  std::vector<int> values(count);
  EXPECT(cuMemcpyDtoH(values.data(), begin, 3 * step) == CUDA_SUCCESS);
  EXPECT(values[0] == 7 && values[count - 1] == 7 + static_cast<int>(count) - 1);
  EXPECT(cuMemcpyDtoH(values.data(), begin + step, 3 * step) == CUDA_ERROR_INVALID_VALUE);

  // What is mapped somewhere else keeps its bytes.
  EXPECT(cuMemUnmap(begin, 3 * step) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(values.data(), begin, 4) == CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr other = 0;
  EXPECT(cuMemAddressReserve(&other, 2 * step, 0, 0, 0) == CUDA_SUCCESS);
  EXPECT(cuMemMap(other, 2 * step, 0, two, 0) == CUDA_SUCCESS);
  EXPECT(cuMemSetAccess(other, 2 * step, &access, 1) == CUDA_SUCCESS);
  EXPECT(at(other, 0) == 7 + static_cast<int>(step / sizeof(int)));
  CUmemGenericAllocationHandle same = 0;
  EXPECT(cuMemRetainAllocationHandle(&same, reinterpret_cast<void*>(other)) == CUDA_SUCCESS &&
         same == two);
  EXPECT(cuMemRelease(same) == CUDA_SUCCESS && cuMemRelease(two) == CUDA_SUCCESS);
  EXPECT(at(other, 1) == 8 + static_cast<int>(step / sizeof(int))); // until it is unmapped
  EXPECT(cuMemAddressFree(other, 2 * step) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemUnmap(other, 2 * step) == CUDA_SUCCESS);
  EXPECT(cuMemRelease(one) == CUDA_SUCCESS);
  EXPECT(cuMemAddressFree(other, 2 * step) == CUDA_SUCCESS);
  EXPECT(cuMemAddressFree(begin, 4 * step) == CUDA_SUCCESS);
}

static void wrong_ones() {
  CUmemAllocationProp properties = of_device();
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr begin = 0;
  size_t step = 0;
  cuMemGetAllocationGranularity(&step, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  EXPECT(cuMemCreate(&handle, 100, &properties, 0) == CUDA_ERROR_INVALID_VALUE);
  properties.location.id = 99;
  EXPECT(cuMemCreate(&handle, step, &properties, 0) == CUDA_ERROR_INVALID_DEVICE);
  properties.location.id = 0;
  EXPECT(cuMemAddressReserve(&begin, 100, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemCreate(&handle, step, &properties, 0) == CUDA_SUCCESS);
  EXPECT(cuMemAddressReserve(&begin, step, 0, 0, 0) == CUDA_SUCCESS);
  EXPECT(cuMemMap(begin, 2 * step, 0, handle, 0) == CUDA_ERROR_NOT_SUPPORTED);
  EXPECT(cuMemMap(begin, step, 0, handle, 0) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(&step, begin, sizeof step) == CUDA_ERROR_INVALID_VALUE); // no access yet
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  EXPECT(cuMemSetAccess(begin, 3 * step, &access, 1) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemSetAccess(begin, step, &access, 1) == CUDA_SUCCESS);
  EXPECT(cuMemFree(begin) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemUnmap(begin, step) == CUDA_SUCCESS);
  EXPECT(cuMemRelease(handle) == CUDA_SUCCESS);
  EXPECT(cuMemAddressFree(begin, step) == CUDA_SUCCESS);
}

static std::string compiled(const char* source) {
  nvrtcProgram program = nullptr;
  size_t size = 0;
  EXPECT(nvrtcCreateProgram(&program, source, "part.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  const char* const options[] = {"--gpu-architecture=compute_80", "-rdc=true"};
  EXPECT(nvrtcCompileProgram(program, 2, options) == NVRTC_SUCCESS);
  EXPECT(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS);
  std::string ptx(size, '\0');
  EXPECT(nvrtcGetPTX(program, ptx.data()) == NVRTC_SUCCESS);
  nvrtcDestroyProgram(&program);
  return ptx;
}

// Two texts, of which one calls the other's function.
static void linked() {
  std::string caller = compiled("extern __device__ int twice(int x);\n"
                                "extern \"C\" __global__ void run(int* p) { *p = twice(*p); }\n"),
              called = compiled("__device__ int twice(int x) { return 2 * x; }\n");
  CUlinkState linker = nullptr;
  char log[256] = "not empty";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  EXPECT(cuLinkCreate(2, options, values, &linker) == CUDA_SUCCESS);
  EXPECT(cuLinkAddData(linker, CU_JIT_INPUT_PTX, caller.data(), caller.size(), "caller", 0, nullptr,
                       nullptr) == CUDA_SUCCESS);
  EXPECT(cuLinkAddData(linker, CU_JIT_INPUT_PTX, called.data(), called.size(), "called", 0, nullptr,
                       nullptr) == CUDA_SUCCESS);
  void* cubin = nullptr;
  size_t size = 0;
  EXPECT(cuLinkComplete(linker, &cubin, &size) == CUDA_SUCCESS && size > 0);
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  EXPECT(cuModuleLoadData(&module, cubin) == CUDA_SUCCESS);
  EXPECT(cuLinkDestroy(linker) == CUDA_SUCCESS); // the module has what it needs
  EXPECT(cuModuleGetFunction(&function, module, "run") == CUDA_SUCCESS);
  const int value = 21;
  Device<int> memory(1, &value);
  void* arguments[] = {&memory.data};
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) ==
         CUDA_SUCCESS);
  EXPECT(cuCtxSynchronize() == CUDA_SUCCESS && memory[0] == 42);
  EXPECT(cuModuleUnload(module) == CUDA_SUCCESS);

  EXPECT(cuLinkCreate(0, nullptr, nullptr, &linker) == CUDA_SUCCESS);
  EXPECT(cuLinkAddFile(linker, CU_JIT_INPUT_PTX, "/no/such/file", 0, nullptr, nullptr) ==
         CUDA_ERROR_FILE_NOT_FOUND);
  char real[] = ".version 8.0\n.target sm_80, and what follows is no PTX at all\n";
  EXPECT(cuLinkAddData(linker, CU_JIT_INPUT_PTX, real, sizeof real, "real", 0, nullptr, nullptr) ==
         CUDA_ERROR_INVALID_PTX);
  EXPECT(cuLinkDestroy(linker) == CUDA_SUCCESS);
}

// A process may share memory that it never uses itself.
static void without_context() {
  CUmemAllocationProp what{};
  what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  what.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  what.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  size_t size = 0;
  CUmemGenericAllocationHandle memory{};
  CUdeviceptr at = 0, other = 0;
  int file = -1;
  EXPECT(cuMemGetAllocationGranularity(&size, &what, CU_MEM_ALLOC_GRANULARITY_MINIMUM) == CUDA_SUCCESS && size > 0);
  EXPECT(cuMemCreate(&memory, size, &what, 0) == CUDA_SUCCESS);
  EXPECT(cuMemExportToShareableHandle(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) == CUDA_SUCCESS && file >= 0);
  EXPECT(cuMemAddressReserve(&at, size, 0, 0, 0) == CUDA_SUCCESS && cuMemMap(at, size, 0, memory, 0) == CUDA_SUCCESS);
  EXPECT(cuMemSetAccess(at, size, &access, 1) == CUDA_SUCCESS && cuMemUnmap(at, size) == CUDA_SUCCESS);
  EXPECT(cuMemAddressFree(at, size) == CUDA_SUCCESS && cuMemRelease(memory) == CUDA_SUCCESS);
  EXPECT(cuMemAlloc(&other, 4) == CUDA_ERROR_INVALID_CONTEXT);
}

int main() {
  EXPECT(cuInit(0) == CUDA_SUCCESS);
  without_context();
  EXPECT(cudaFree(nullptr) == cudaSuccess);
  mapped();
  wrong_ones();
  linked();
  return wrong;
}

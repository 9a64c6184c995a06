// Link: -lcuda
// Errors: memory that is exhausted, code for another GPU, errors that stay and errors that do not.
#include "check.h"

#include <cstdint>
#include <cstring>
#include <cuda.h>
#include <vector>

__global__ void fill(int* data) {
  data[threadIdx.x] = 1;
}

__global__ void take(unsigned long long each, unsigned* got) {
  for (void* one = nullptr; (one = malloc(each)) != nullptr;)
    ++*got;
}

static void exhausted() {
  std::size_t free = 0, total = 0, again = 0;
  EXPECT(cudaMemGetInfo(&free, &total) == cudaSuccess && free <= total);
  void* pointer = &free;
  EXPECT(cudaMalloc(&pointer, total + 1) == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess); // it does not stay
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") == 0);
  EXPECT(cudaMalloc(&pointer, SIZE_MAX) == cudaErrorMemoryAllocation);
  EXPECT(cudaMallocManaged(&pointer, total + 1) == cudaErrorMemoryAllocation);
  EXPECT(cudaMallocAsync(&pointer, total + 1, nullptr) == cudaErrorMemoryAllocation);
  std::size_t pitch = 0;
  EXPECT(cudaMallocPitch(&pointer, &pitch, 1 << 20, total >> 10) == cudaErrorMemoryAllocation);
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float4>();
  cudaArray_t array;
  EXPECT(cudaMalloc3DArray(&array, &texel, make_cudaExtent(16384, 16384, 64)) == cudaErrorMemoryAllocation);
  // Piece by piece, to the end, and back.
  std::vector<void*> pieces;
  while (cudaMalloc(&pointer, std::size_t{1} << 30) == cudaSuccess)
    pieces.push_back(pointer);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation && pieces.size() == free >> 30);
  CUdeviceptr other = 0;
  EXPECT(cuMemAlloc(&other, std::size_t{1} << 30) == CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT(cudaMalloc(&pointer, 128) == cudaSuccess); // there is some left
  fill<<<1, 32>>>((int*)pointer);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && cudaFree(pointer) == cudaSuccess);
  for (void* piece : pieces)
    EXPECT(cudaFree(piece) == cudaSuccess);
  EXPECT(cudaMemGetInfo(&again, &total) == cudaSuccess && again == free);
  unsigned* got = nullptr; // kernels have memory of their own, which ends as well
  EXPECT(cudaMallocManaged(&got, sizeof *got) == cudaSuccess);
  *got = 0;
  take<<<1, 1>>>(std::size_t{100} << 20, got);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && *got > 0 && *got < 100);
}

// What is code for a GPU is told so, and nothing else is harmed.
static void other_code() {
  CUmodule module;
  alignas(8) char cubin[128] = "\x7f" "ELF", fat[128] = "\x50\xed\x55\xba";
  EXPECT(cuModuleLoadData(&module, cubin) == CUDA_ERROR_INVALID_IMAGE); // it only begins like one
  EXPECT(cuModuleLoadData(&module, fat) == CUDA_ERROR_INVALID_IMAGE);
  cubin[4] = 2, cubin[5] = 1, cubin[18] = '\xbe'; // 64 bits, CUDA's machine
  fat[4] = 1, fat[6] = 16;
  EXPECT(cuModuleLoadData(&module, cubin) == CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT(cuModuleLoadData(&module, fat) == CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT(cuModuleLoadData(&module, ".version 8.0\n.target sm_90\n") == CUDA_ERROR_INVALID_PTX);
  cudaLibrary_t library;
  EXPECT(cudaLibraryLoadData(&library, cubin, nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaErrorNoKernelImageForDevice);
  EXPECT(cudaGetLastError() == cudaErrorNoKernelImageForDevice && cudaGetLastError() == cudaSuccess);
  EXPECT(cuModuleLoad(&module, "/nowhere/none.cubin") == CUDA_ERROR_FILE_NOT_FOUND);
}

static void configurations(int* data) {
  fill<<<1, 2000>>>(data);
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError() == cudaSuccess);
  fill<<<0, 32>>>(data);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  fill<<<1, 32, 1 << 20>>>(data);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(cudaSetDevice(77) == cudaErrorInvalidDevice && cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice); // a call that succeeds does not take it away
  int here = 0;
  EXPECT(cudaFree(&here) == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(data, nullptr, 128, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
}

__device__ int symbol;
// There is nowhere to write what is asked for, or nothing is said.
static void nowhere() {
  EXPECT(cudaGetDeviceCount(nullptr) == cudaErrorInvalidValue && cudaGetDevice(nullptr) == cudaErrorInvalidValue);
  EXPECT(cudaRuntimeGetVersion(nullptr) == cudaErrorInvalidValue && cudaDriverGetVersion(nullptr) == cudaErrorInvalidValue);
  EXPECT(cudaGetDeviceProperties(nullptr, 0) == cudaErrorInvalidValue);
  EXPECT(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0) == cudaErrorInvalidValue);
  EXPECT(cudaGetDeviceFlags(nullptr) == cudaErrorInvalidValue);
  EXPECT(cudaDeviceGetLimit(nullptr, cudaLimitStackSize) == cudaErrorInvalidValue);
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  void* memory = nullptr;
  size_t size = 0;
  int number = 0;
  const cudaError_t told[] = {
      cudaMallocPitch(&memory, nullptr, 4, 4), cudaMalloc3D(nullptr, make_cudaExtent(4, 4, 4)), cudaMallocArray(nullptr, &texel, 4, 4),
      cudaMallocArray(&array, nullptr, 4, 4), cudaStreamCreate(nullptr), cudaEventCreate(nullptr), cudaFuncGetAttributes(nullptr, (const void*)fill),
      cudaMemGetInfo(nullptr, &size), cudaMemGetInfo(&size, nullptr), cudaPointerGetAttributes(nullptr, &number), cudaGetSymbolAddress(nullptr, symbol),
      cudaGetSymbolSize(nullptr, symbol), cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, fill, 32, 0), cudaDeviceCanAccessPeer(nullptr, 0, 0),
      cudaStreamGetPriority(nullptr, nullptr), cudaStreamGetFlags(nullptr, nullptr), cudaDeviceGetPCIBusId(nullptr, 16, 0), cudaChooseDevice(nullptr, nullptr),
      cudaMemcpy3D(nullptr), cudaCreateTextureObject(nullptr, nullptr, nullptr, nullptr), cudaCreateSurfaceObject(nullptr, nullptr),
      cudaGetChannelDesc(nullptr, array), cudaDeviceGetDefaultMemPool(nullptr, 0), cudaLaunchHostFunc(nullptr, nullptr, nullptr),
      cudaStreamAddCallback(nullptr, nullptr, nullptr, 0)};
  for (const cudaError_t error : told)
    EXPECT(error == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
}

// The driver API, graphs and pools have nowhere to write, or are given nothing.
static void nothing_given() {
  const CUresult told[] = {
      cuDeviceGet(nullptr, 0), cuDeviceGetName(nullptr, 16, 0), cuDeviceGetUuid(nullptr, 0), cuDeviceTotalMem(nullptr, 0),
      cuDevicePrimaryCtxRetain(nullptr, 0), cuDevicePrimaryCtxGetState(0, nullptr, nullptr), cuCtxCreate_v2(nullptr, 0, 0),
      cuCtxGetCurrent(nullptr), cuCtxGetFlags(nullptr), cuCtxGetApiVersion(nullptr, nullptr), cuStreamGetCtx(nullptr, nullptr),
      cuGetErrorName(CUDA_SUCCESS, nullptr), cuGetErrorString(CUDA_SUCCESS, nullptr), cuLibraryGetModule(nullptr, nullptr),
      cuKernelGetFunction(nullptr, nullptr), cuMemcpy2D(nullptr), cuMemcpy2DUnaligned(nullptr), cuMemcpy2DAsync(nullptr, nullptr),
      cuMemcpy3D(nullptr), cuMemcpy3DAsync(nullptr, nullptr), cuMemcpy3DPeer(nullptr), cuMemHostGetDevicePointer(nullptr, nullptr, 0)};
  for (const CUresult error : told)
    EXPECT(error == CUDA_ERROR_INVALID_VALUE);
  size_t count = 0;
  const cudaError_t of_graphs[] = {
      cudaGraphGetNodes(nullptr, nullptr, &count), cudaGraphGetRootNodes(nullptr, nullptr, &count),
      cudaGraphGetEdges(nullptr, nullptr, nullptr, &count), cudaGraphNodeGetDependencies(nullptr, nullptr, &count),
      cudaGraphNodeGetDependentNodes(nullptr, nullptr, &count), cudaGraphDebugDotPrint(nullptr, "graph", 0),
      cudaGraphNodeFindInClone(nullptr, nullptr, nullptr), cudaGraphExecGetFlags(nullptr, nullptr), cudaUserObjectRetain(nullptr, 1),
      cudaGraphKernelNodeCopyAttributes(nullptr, nullptr), cudaGraphNodeGetEnabled(nullptr, nullptr, nullptr),
      cudaGraphNodeSetParams(nullptr, nullptr), cudaGraphMemFreeNodeGetParams(nullptr, nullptr),
      cudaGraphChildGraphNodeGetGraph(nullptr, nullptr), cudaGraphEventRecordNodeGetEvent(nullptr, nullptr),
      cudaMemPoolGetAttribute(nullptr, cudaMemPoolAttrReleaseThreshold, nullptr), cudaMemPoolSetAccess(nullptr, nullptr, 1)};
  for (const cudaError_t error : of_graphs)
    EXPECT(error == cudaErrorInvalidValue);
  cudaGetLastError();
}

// An error of the device stays: every call tells it, and nothing runs any more.
static void sticky(int* data) {
  fill<<<1, 32>>>(data + (1 << 20));
  EXPECT(cudaGetLastError() == cudaSuccess); // the launch was in order
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  EXPECT(cudaPeekAtLastError() == cudaErrorIllegalAddress && cudaGetLastError() == cudaErrorIllegalAddress);
  EXPECT(cudaGetLastError() == cudaSuccess); // no call has told it since
  void* pointer = nullptr;
  int value = 0;
  EXPECT(cudaMalloc(&pointer, 128) == cudaErrorIllegalAddress);
  EXPECT(cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
  EXPECT(cudaSetDevice(0) == cudaSuccess);
  cudaStream_t stream;
  EXPECT(cudaStreamCreate(&stream) == cudaErrorIllegalAddress);
  fill<<<1, 32>>>(data);
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
  CUdeviceptr other = 0;
  EXPECT(cuMemAlloc(&other, 128) == CUDA_ERROR_ILLEGAL_ADDRESS && cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  int count = 0;
  EXPECT(cudaGetDeviceCount(&count) == cudaSuccess && count == 1); // asks nothing of the device
  EXPECT(cudaDeviceReset() == cudaSuccess && cudaMalloc(&pointer, 128) == cudaErrorDevicesUnavailable);
}

int main() {
  int* data = nullptr;
  EXPECT(cuInit(0) == CUDA_SUCCESS && cudaMalloc(&data, 128) == cudaSuccess);
  nowhere();
  exhausted();
  other_code();
  configurations(data);
  nothing_given();
  sticky(data);
  return wrong;
}

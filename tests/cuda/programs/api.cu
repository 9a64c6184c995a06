// The runtime API: memory, symbols, streams, events, errors that do not stay.
#include "check.h"

#include <cstring>
#include <vector>

__constant__ float table[4] = {1, 2, 3, 4};
__device__ int counter = 5;
__device__ int* pointer = &counter;
__managed__ int shared_with_host = 3;

__global__ void bump() {
  *pointer += (int)table[1];
  shared_with_host *= 2;
}
__global__ void fill(int* to, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = value + i;
}
__global__ void __launch_bounds__(64) narrow(int* to) {
  to[threadIdx.x] = 1;
}

__device__ int of_device[2];
__constant__ int constant[2];
__managed__ int of_both[2];
__global__ void use_variables(int* to) {
  *to = of_device[0] + constant[0] + of_both[0];
}

// Whether the attributes of an address are those of the kind of memory, as on a GPU.
bool is_of(cudaMemoryType type, const void* address) {
  cudaPointerAttributes found{};
  const bool is_known = type != cudaMemoryTypeUnregistered, is_host = type != cudaMemoryTypeDevice;
  return cudaPointerGetAttributes(&found, address) == cudaSuccess && found.type == type &&
         found.device == (is_known ? 0 : -2) &&
         found.devicePointer == (is_known ? address : nullptr) &&
         found.hostPointer == (is_host ? address : nullptr);
}
void kinds_of_memory() {
  void* found = nullptr;
  int own = 0;
  EXPECT(is_of(cudaMemoryTypeUnregistered, &own) && is_of(cudaMemoryTypeUnregistered, nullptr));
  EXPECT(is_of(cudaMemoryTypeManaged, of_both + 1));
  EXPECT(cudaGetSymbolAddress(&found, of_device) == cudaSuccess &&
         is_of(cudaMemoryTypeDevice, found));
  EXPECT(cudaGetSymbolAddress(&found, constant) == cudaSuccess &&
         is_of(cudaMemoryTypeDevice, found));
  EXPECT(cudaMalloc(&found, 8) == cudaSuccess &&
         is_of(cudaMemoryTypeDevice, static_cast<char*>(found) + 7));
  EXPECT(cudaMallocHost(&found, 8) == cudaSuccess && is_of(cudaMemoryTypeHost, found));
  EXPECT(cudaMallocManaged(&found, 8) == cudaSuccess && is_of(cudaMemoryTypeManaged, found));
  EXPECT(cudaMallocAsync(&found, 8, nullptr) == cudaSuccess && is_of(cudaMemoryTypeDevice, found));
  static int registered[2048];
  EXPECT(cudaHostRegister(registered, sizeof registered, 0) == cudaSuccess);
  EXPECT(is_of(cudaMemoryTypeHost, registered + 2047));
  EXPECT(cudaHostUnregister(registered) == cudaSuccess);
  EXPECT(is_of(cudaMemoryTypeUnregistered, registered));
}

void memory() {
  int* device = nullptr;
  EXPECT(cudaMalloc(&device, 40 * sizeof(int)) == cudaSuccess);
  EXPECT((reinterpret_cast<size_t>(device) & 255) == 0);
  fill<<<2, 32>>>(device, 40, 100);
  int host[40];
  EXPECT(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(host[0] == 100 && host[39] == 139);
  EXPECT(cudaMemset(device, 0xff, 8) == cudaSuccess);
  EXPECT(cudaMemcpy(host, device, sizeof host, cudaMemcpyDefault) == cudaSuccess);
  EXPECT(host[0] == -1 && host[1] == -1 && host[2] == 102);
  EXPECT(cudaFree(device) == cudaSuccess);
  EXPECT(cudaFree(device) == cudaErrorInvalidValue);
  EXPECT(cudaFree(nullptr) == cudaSuccess);

  int* managed = nullptr;
  EXPECT(cudaMallocManaged(&managed, 16 * sizeof(int)) == cudaSuccess);
  managed[3] = 7; // where it is
  fill<<<1, 3>>>(managed, 3, 1);
  cudaDeviceSynchronize();
  EXPECT(managed[0] == 1 && managed[2] == 3 && managed[3] == 7);
  cudaFree(managed);

  int *pinned = nullptr, *mapped = nullptr;
  EXPECT(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped) == cudaSuccess);
  EXPECT(cudaHostGetDevicePointer(&mapped, pinned, 0) == cudaSuccess);
  fill<<<1, 16>>>(mapped, 16, 9);
  cudaDeviceSynchronize();
  EXPECT(pinned[15] == 24);
  EXPECT(cudaFreeHost(pinned) == cudaSuccess);

  std::vector<int> registered(100, 1);
  EXPECT(cudaHostRegister(registered.data(), 400, cudaHostRegisterMapped) == cudaSuccess);
  EXPECT(cudaHostGetDevicePointer(&mapped, registered.data(), 0) == cudaSuccess);
  fill<<<1, 50>>>(mapped, 50, 2);
  cudaDeviceSynchronize();
  EXPECT(registered[49] == 51 && registered[50] == 1);
  EXPECT(cudaHostUnregister(registered.data()) == cudaSuccess);

  char* rows = nullptr;
  size_t pitch = 0;
  EXPECT(cudaMallocPitch(&rows, &pitch, 10, 3) == cudaSuccess && pitch >= 10);
  const char text[] = "0123456789abcdefghijABCDEFGHIJ";
  char back[31] = {};
  EXPECT(cudaMemcpy2D(rows, pitch, text, 10, 10, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  EXPECT(cudaMemcpy2D(back, 10, rows, pitch, 10, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(std::memcmp(back, text, 30) == 0);
  EXPECT(cudaMemcpy2D(back, 5, rows, pitch, 10, 3, cudaMemcpyDeviceToHost) ==
         cudaErrorInvalidPitchValue);
  cudaFree(rows);
}

void symbols() {
  const float other[2] = {10, 20};
  EXPECT(cudaMemcpyToSymbol(table, other, sizeof other) == cudaSuccess);
  int value = 0;
  EXPECT(cudaMemcpyFromSymbol(&value, counter, sizeof value) == cudaSuccess && value == 5);
  bump<<<1, 1>>>();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(cudaMemcpyFromSymbol(&value, counter, sizeof value) == cudaSuccess && value == 25);
  EXPECT(shared_with_host == 6);
  fill<<<1, 1>>>(&shared_with_host, 1, 9); // the host's address
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && shared_with_host == 9);
  void* address = nullptr;
  size_t size = 0;
  EXPECT(cudaGetSymbolAddress(&address, counter) == cudaSuccess);
  EXPECT(cudaGetSymbolSize(&size, table) == cudaSuccess && size == 16);
  EXPECT(cudaMemcpy(&value, address, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess &&
         value == 25);
  EXPECT(cudaMemcpyToSymbol(table, other, 100) == cudaErrorInvalidValue);
  int no_symbol = 0;
  EXPECT(cudaMemcpyToSymbol(no_symbol, other, 4) == cudaErrorInvalidSymbol);
}

void errors() {
  cudaGetLastError();
  Device<int> memory(64);
  fill<<<1, 2000>>>(memory.data, 64, 0);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError() == cudaSuccess);
  fill<<<0, 32>>>(memory.data, 64, 0);
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  fill<<<1, 32, 1 << 20>>>(memory.data, 64, 0);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  narrow<<<1, 128>>>(memory.data);
  EXPECT(cudaGetLastError() == cudaErrorLaunchOutOfResources);
  narrow<<<1, 64>>>(memory.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  void* much = nullptr;
  EXPECT(cudaMalloc(&much, size_t{1} << 50) == cudaErrorMemoryAllocation && !much);
  EXPECT(cudaSetDevice(5) == cudaErrorInvalidDevice);
  EXPECT(cudaMemcpy(memory.data, memory.data, 1000, cudaMemcpyDeviceToDevice) ==
         cudaErrorInvalidValue);
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  EXPECT(std::strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  cudaGetLastError();
}

void devices() {
  int count = 0, blocks = 0, warp = 0, grid = 0, block = 0;
  EXPECT(cudaGetDeviceCount(&count) == cudaSuccess && count == 1);
  cudaDeviceProp properties;
  EXPECT(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.warpSize == 32);
  EXPECT(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0) == cudaSuccess && warp == 32);
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0) == cudaSuccess &&
         blocks == 8);
  EXPECT(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill) == cudaSuccess && block == 1024);
  cudaFuncAttributes attributes;
  EXPECT(cudaFuncGetAttributes(&attributes, narrow) == cudaSuccess &&
         attributes.maxThreadsPerBlock == 64);
  size_t free = 0, total = 0;
  EXPECT(cudaMemGetInfo(&free, &total) == cudaSuccess && free <= total && free > 0);
}

void callback(cudaStream_t, cudaError_t status, void* data) {
  *static_cast<int*>(data) = status == cudaSuccess ? 1 : -1;
}

void streams() {
  cudaStream_t stream;
  EXPECT(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  Device<int> memory(8);
  fill<<<1, 8, 0, stream>>>(memory.data, 8, 40);
  int called = 0, host = 0;
  EXPECT(cudaStreamAddCallback(stream, callback, &called, 0) == cudaSuccess);
  EXPECT(cudaMemcpyAsync(&host, memory.data + 2, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess && called == 1 && host == 42);
  int grid = 1;
  void* arguments[] = {&memory.data, &grid, &host};
  EXPECT(cudaLaunchKernel(fill, dim3(1), dim3(8), arguments, 0, stream) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  EXPECT(memory[0] == 42 && memory[1] == 41);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 8;
  EXPECT(cudaLaunchKernelEx(&config, fill, memory.data, 8, 7) == cudaSuccess);
  EXPECT(memory[7] == 14);
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
  int* pooled = nullptr;
  EXPECT(cudaMallocAsync(&pooled, 64, nullptr) == cudaSuccess);
  EXPECT(cudaFreeAsync(pooled, nullptr) == cudaSuccess);
}

int main() {
  memory();
  kinds_of_memory();
  symbols();
  errors();
  devices();
  streams();
  return wrong;
}

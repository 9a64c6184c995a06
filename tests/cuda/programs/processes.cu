// Link: -lcuda
// Memory that two processes share: the program starts itself again, and that process finishes what it began.
#include "check.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add(int* data, int what) {
  data[threadIdx.x] += what;
}

struct Message {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
  cudaMemPoolPtrExportData pointer;
  int pool, created; // descriptors
};

constexpr int kFrom = 30, kTo = 31; // descriptors of pipes
constexpr std::size_t kCreated = 2 << 20;

static bool is_all(const int* data, int wanted) {
  int values[32];
  EXPECT(cudaMemcpy(values, data, sizeof values, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (const int value : values)
    if (value != wanted)
      return false;
  return true;
}

static int* mapped(CUmemGenericAllocationHandle handle) {
  CUdeviceptr address = 0;
  CUmemAccessDesc access = {};
  access.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  EXPECT(cuMemAddressReserve(&address, kCreated, 0, 0, 0) == CUDA_SUCCESS);
  EXPECT(cuMemMap(address, kCreated, 0, handle, 0) == CUDA_SUCCESS);
  EXPECT(cuMemSetAccess(address, kCreated, &access, 1) == CUDA_SUCCESS);
  return reinterpret_cast<int*>(address);
}

static int other() {
  Message message;
  EXPECT(read(kFrom, &message, sizeof message) == sizeof message);
  int *memory = nullptr, *pointer = nullptr, *own = nullptr;
  EXPECT(cudaMalloc(&own, 128) == cudaSuccess && cudaMemset(own, 0, 128) == cudaSuccess); // at the address that the first process's has
  cudaEvent_t event;
  EXPECT(cudaIpcOpenMemHandle((void**)&memory, message.memory, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess);
  EXPECT(cudaIpcOpenEventHandle(&event, message.event) == cudaSuccess);
  EXPECT(cudaStreamWaitEvent(nullptr, event) == cudaSuccess && cudaEventQuery(event) == cudaSuccess);
  EXPECT(is_all(memory, 1) && is_all(own, 0));
  add<<<1, 32>>>(memory, 10);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && is_all(memory, 11) && is_all(own, 0));
  cudaIpcMemHandle_t again;
  EXPECT(cudaIpcGetMemHandle(&again, memory) == cudaErrorInvalidValue); // it is not this process's
  EXPECT(cudaFree(own) == cudaSuccess);
  EXPECT(cudaIpcCloseMemHandle(memory) == cudaSuccess && cudaIpcCloseMemHandle(memory) == cudaErrorInvalidValue);
  std::memset(&again, 1, sizeof again);
  EXPECT(cudaIpcOpenMemHandle((void**)&memory, again, cudaIpcMemLazyEnablePeerAccess) == cudaErrorInvalidValue);

  cudaMemPool_t pool;
  EXPECT(cudaMemPoolImportFromShareableHandle(&pool, (void*)(std::intptr_t)message.pool, cudaMemHandleTypePosixFileDescriptor, 0) ==
         cudaSuccess);
  EXPECT(cudaMemPoolImportPointer((void**)&pointer, pool, &message.pointer) == cudaSuccess);
  EXPECT(cudaMallocFromPoolAsync(&own, 128, pool, nullptr) == cudaErrorInvalidValue);
  add<<<1, 32>>>(pointer, 20);
  EXPECT(is_all(pointer, 22) && cudaFreeAsync(pointer, nullptr) == cudaSuccess);

  CUmemGenericAllocationHandle handle;
  EXPECT(cuMemImportFromShareableHandle(&handle, (void*)(std::intptr_t)message.created, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) ==
         CUDA_SUCCESS);
  int* const created = mapped(handle);
  EXPECT(is_all(created, 3));
  add<<<1, 32>>>(created, 30);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(cuMemUnmap((CUdeviceptr)created, kCreated) == CUDA_SUCCESS && cuMemRelease(handle) == CUDA_SUCCESS);
  cudaGetLastError();
  EXPECT(write(kTo, "", 1) == 1);
  return wrong;
}

int main(int count, char** arguments) {
  EXPECT(cuInit(0) == CUDA_SUCCESS);
  if (count > 1)
    return other();
  int to[2], from[2];
  EXPECT(pipe(to) == 0 && pipe(from) == 0);
  Message message;
  int *memory = nullptr, *pointer = nullptr;
  EXPECT(cudaMalloc(&memory, 128) == cudaSuccess && cudaMemset(memory, 0, 128) == cudaSuccess);
  add<<<1, 32>>>(memory, 1);
  EXPECT(cudaIpcGetMemHandle(&message.memory, memory) == cudaSuccess);
  int local = 0;
  cudaIpcMemHandle_t none;
  EXPECT(cudaIpcGetMemHandle(&none, &local) == cudaErrorInvalidValue);
  void* mine = nullptr;
  EXPECT(cudaIpcOpenMemHandle(&mine, message.memory, cudaIpcMemLazyEnablePeerAccess) == cudaErrorDeviceUninitialized);
  cudaEvent_t event, plain;
  EXPECT(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess) == cudaSuccess);
  EXPECT(cudaEventCreate(&plain) == cudaSuccess && cudaIpcGetEventHandle(&message.event, plain) == cudaErrorInvalidResourceHandle);
  EXPECT(cudaIpcGetEventHandle(&message.event, event) == cudaSuccess && cudaEventRecord(event) == cudaSuccess);

  int supported = 0;
  EXPECT(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolSupportedHandleTypes, 0) == cudaSuccess);
  EXPECT(supported & cudaMemHandleTypePosixFileDescriptor);
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool, closed;
  EXPECT(cudaMemPoolCreate(&closed, &props) == cudaSuccess);
  EXPECT(cudaMemPoolExportToShareableHandle(&message.pool, closed, cudaMemHandleTypePosixFileDescriptor, 0) == cudaErrorInvalidValue);
  props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  EXPECT(cudaMemPoolCreate(&pool, &props) == cudaSuccess);
  EXPECT(cudaMallocFromPoolAsync(&pointer, 128, pool, nullptr) == cudaSuccess);
  EXPECT(cudaMemset(pointer, 0, 128) == cudaSuccess);
  add<<<1, 32>>>(pointer, 2);
  EXPECT(cudaMemPoolExportToShareableHandle(&message.pool, pool, cudaMemHandleTypePosixFileDescriptor, 0) == cudaSuccess);
  EXPECT(cudaMemPoolExportPointer(&message.pointer, pointer) == cudaSuccess);

  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemGenericAllocationHandle handle;
  EXPECT(cuMemCreate(&handle, kCreated, &properties, 0) == CUDA_SUCCESS);
  EXPECT(cuMemExportToShareableHandle(&message.created, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) == CUDA_ERROR_INVALID_VALUE);
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  EXPECT(cuMemCreate(&handle, kCreated, &properties, 0) == CUDA_SUCCESS);
  EXPECT(cuMemExportToShareableHandle(&message.created, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) == CUDA_SUCCESS);
  int* const created = mapped(handle);
  EXPECT(cudaMemset(created, 0, 128) == cudaSuccess);
  add<<<1, 32>>>(created, 3);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);

  const pid_t child = fork();
  if (child == 0) {
    dup2(to[0], kFrom), dup2(from[1], kTo);
    dup2(message.pool, 32), dup2(message.created, 33);
    execl("/proc/self/exe", arguments[0], "other", nullptr);
    _exit(127);
  }
  message.pool = 32, message.created = 33;
  char done = 0;
  close(from[1]); // so that a process which has ended is noticed
  EXPECT(write(to[1], &message, sizeof message) == sizeof message && read(from[0], &done, 1) == 1);
  EXPECT(is_all(memory, 11) && is_all(pointer, 22) && is_all(created, 33));
  add<<<1, 32>>>(created, 1);
  EXPECT(is_all(created, 34));
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return wrong;
}

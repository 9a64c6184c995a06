// A program whose host code does nothing wrong: the check HOST finds nothing. Memory is freed by the destructor of an
// object of the program, by a stream, by the reset of the device; copies end where memory does; everything is ordered.
// NEVER-NOT: error
#include "../check.h"

__global__ void add(int* a, int n) {
  a[threadIdx.x] += n;
}

struct Owner {
  int* memory = nullptr;
  ~Owner() { cudaFree(memory); }
} owner;

int main() {
  cudaMalloc(&owner.memory, 4096);
  int *pinned, *managed, *late, *registered = new int[1024];
  cudaMallocHost(&pinned, 4096);
  cudaMallocManaged(&managed, 4096);
  cudaHostRegister(registered, 4096, 0);
  cudaStream_t first, second, blocking;
  cudaEvent_t done;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaStreamCreate(&blocking);
  cudaEventCreate(&done);

  // An event between two streams, and a host that waits for the second.
  cudaMemsetAsync(owner.memory, 0, 4096, first);
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done, 0);
  add<<<1, 1024, 0, second>>>(owner.memory, 1);
  cudaMemcpyAsync(pinned, owner.memory, 4096, cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(second);
  EXPECT(pinned[1023] == 1);

  // The legacy default stream waits for streams that block, and these for it.
  add<<<1, 1024, 0, blocking>>>(owner.memory, 1);
  add<<<1, 1024>>>(owner.memory, 1);
  add<<<1, 1024, 0, blocking>>>(owner.memory, 1);
  cudaMemcpy(pinned, owner.memory, 4096, cudaMemcpyDeviceToHost);
  EXPECT(pinned[0] == 4);

  // Pageable memory has what is copied when the call returns.
  int plain[1024];
  cudaMemcpyAsync(plain, owner.memory, 4096, cudaMemcpyDeviceToHost, blocking);
  EXPECT(plain[5] == 4);

  for (int i = 0; i < 1024; ++i)
    managed[i] = i;
  add<<<1, 1024>>>(managed, 1);
  cudaEventRecord(done);
  cudaEventSynchronize(done);
  EXPECT(managed[1023] == 1024);

  cudaMallocAsync(reinterpret_cast<void**>(&late), 400, first);
  cudaFreeAsync(late, first);
  cudaHostUnregister(registered);
  delete[] registered;
  cudaFreeHost(pinned);
  cudaFree(managed);
  EXPECT(cudaGetLastError() == cudaSuccess);
  return wrong;
}

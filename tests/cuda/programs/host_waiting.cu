// Kernels that wait for the host, and for work of other streams; and what is put behind them.
// Link: -lpthread
#include "check.h"

#include <cassert>
#include <chrono>
#include <cstdlib>
#include <thread>

__global__ void spin(volatile int* flag, int wanted) {
  while (*flag != wanted)
    ;
}
__managed__ int managed_flag;
__global__ void spin_on_variable() {
  while (*(volatile int*)&managed_flag == 0)
    ;
}
__global__ void add(int* data, int value) {
  atomicAdd(data + threadIdx.x, value);
}
__global__ void copy(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x];
}
// All threads of all blocks wait, of which some have ended.
__global__ void many(volatile int* flag, int* out) {
  if (threadIdx.x % 2 == 0)
    while (*flag == 0)
      __nanosleep(100);
  __syncthreads();
  atomicAdd(out, *flag);
}
// The host answers, and asks again.
__global__ void talk(volatile int* ask, volatile int* answer, int* sum, int rounds) {
  for (int i = 1; i <= rounds; ++i) {
    *ask = i;
    __threadfence_system();
    while (*answer != i)
      ;
    *sum += i;
  }
}
__global__ void limited(volatile int* flag, int* out) {
  const long long start = clock64();
  while (*flag == 0)
    if (clock64() - start > 1000000000) // about a second
      break;
  *out = *flag;
}

// Loops that end when they have counted, whatever others write, and one that only others end.
__global__ void guarded(volatile int* broken, int* out, int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    if (*broken == 1)
      __trap();
    assert(*broken == 0);
    sum += i;
  }
  *out = sum;
}
__global__ void until_trapped(volatile int* broken) {
  while (true)
    if (*broken == 1)
      __trap();
}

static void CUDART_CB raise_flag(void* flag) {
  *(volatile int*)flag = 1;
}
static void CUDART_CB count(cudaStream_t, cudaError_t status, void* number) {
  if (status == cudaSuccess)
    ++*(int*)number;
}

// A flag of each kind, with work behind the kernel in its stream and in others.
static void behind(volatile int* flag, int* device_flag) {
  Device<int> data(8), other(8);
  cudaStream_t stream, blocking, apart;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
  cudaStreamCreate(&blocking);
  cudaEvent_t before, after, done;
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  cudaEventCreate(&done);
  int* pinned = nullptr;
  cudaMallocHost(&pinned, 8 * sizeof(int));
  pinned[3] = 0;
  *flag = 0;
  EXPECT(cudaEventRecord(before, stream) == cudaSuccess);
  if (device_flag)
    spin<<<1, 1, 0, stream>>>(device_flag, 1);
  else
    spin_on_variable<<<1, 1, 0, stream>>>();
  int five = 5;
  EXPECT(cudaMemsetAsync(data.data, 0, 8 * sizeof(int), stream) == cudaSuccess);
  EXPECT(cudaMemcpyAsync(data.data + 3, &five, sizeof five, cudaMemcpyHostToDevice, stream) ==
         cudaSuccess);
  five = 0; // it has been read
  add<<<1, 8, 0, stream>>>(data.data, 2);
  EXPECT(cudaMemcpyAsync(pinned, data.data, 8 * sizeof(int), cudaMemcpyDeviceToHost, stream) ==
         cudaSuccess);
  EXPECT(cudaEventRecord(after, stream) == cudaSuccess);
  EXPECT(cudaStreamWaitEvent(blocking, after, 0) == cudaSuccess);
  copy<<<1, 8, 0, blocking>>>(data.data, other.data);
  EXPECT(cudaEventRecord(done, blocking) == cudaSuccess);
  int called = 0;
  EXPECT(cudaStreamAddCallback(blocking, count, &called, 0) == cudaSuccess);
  EXPECT(cudaEventQuery(before) == cudaSuccess);
  EXPECT(cudaStreamQuery(stream) == cudaErrorNotReady && cudaStreamQuery(blocking) == cudaErrorNotReady);
  EXPECT(cudaEventQuery(after) == cudaErrorNotReady && cudaEventQuery(done) == cudaErrorNotReady);
  float milliseconds = -1;
  EXPECT(cudaEventElapsedTime(&milliseconds, before, after) == cudaErrorNotReady);
  EXPECT(called == 0 && pinned[3] == 0);
  // What does not come after it goes on.
  int* mine = nullptr;
  EXPECT(cudaMallocAsync((void**)&mine, 32, apart) == cudaSuccess);
  cudaMemsetAsync(mine, 0, 32, apart);
  add<<<1, 8, 0, apart>>>(mine, 7);
  EXPECT(cudaMemcpyAsync(pinned + 4, mine, 4, cudaMemcpyDeviceToHost, apart) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(apart) == cudaSuccess && pinned[4] == 7);
  EXPECT(cudaStreamQuery(apart) == cudaSuccess && cudaStreamQuery(stream) == cudaErrorNotReady);
  *flag = 1;
  EXPECT(cudaEventSynchronize(done) == cudaSuccess);
  EXPECT(cudaEventQuery(after) == cudaSuccess && cudaStreamQuery(stream) == cudaSuccess);
  EXPECT(cudaEventElapsedTime(&milliseconds, before, after) == cudaSuccess && milliseconds >= 0);
  EXPECT(cudaStreamSynchronize(blocking) == cudaSuccess && called == 1);
  EXPECT(pinned[3] == 7 && pinned[5] == 2 && other[3] == 7 && other[0] == 2);
  cudaFreeAsync(mine, apart);
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess && cudaStreamDestroy(blocking) == cudaSuccess &&
         cudaStreamDestroy(apart) == cudaSuccess);
  cudaEventDestroy(before);
  cudaEventDestroy(after);
  cudaEventDestroy(done);
  EXPECT(cudaFreeHost(pinned) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
}

int main() {
  // A GPU that loads a kernel with its first launch may wait for those that run.
  cudaFuncAttributes attributes;
  EXPECT(cudaFuncGetAttributes(&attributes, spin) == cudaSuccess &&
         cudaFuncGetAttributes(&attributes, spin_on_variable) == cudaSuccess &&
         cudaFuncGetAttributes(&attributes, add) == cudaSuccess &&
         cudaFuncGetAttributes(&attributes, copy) == cudaSuccess);
  int *mapped = nullptr, *managed = nullptr;
  cudaHostAlloc(&mapped, 64, cudaHostAllocMapped);
  cudaMallocManaged(&managed, 64);
  behind(mapped, mapped);
  behind(managed, managed);
  behind(&managed_flag, nullptr);
  auto* const registered = static_cast<int*>(std::aligned_alloc(4096, 4096));
  EXPECT(cudaHostRegister(registered, 4096, cudaHostRegisterMapped) == cudaSuccess);
  int* of_device = nullptr;
  cudaHostGetDevicePointer((void**)&of_device, registered, 0);
  behind(registered, of_device);
  EXPECT(cudaHostUnregister(registered) == cudaSuccess);

  // The host waits without a call, answers, and is answered.
  Device<int> sum(1);
  volatile int *ask = mapped + 1, *answer = mapped + 2;
  *ask = *answer = 0;
  talk<<<1, 1>>>(mapped + 1, mapped + 2, sum.data, 20);
  for (int i = 1; i <= 20; ++i) {
    while (*ask != i)
      std::this_thread::yield();
    *answer = i;
  }
  EXPECT(sum[0] == 210);
  // Work behind goes on while the host looks at memory alone.
  volatile int* const seen = mapped + 3;
  mapped[0] = 0;
  *seen = 0;
  spin<<<1, 1>>>(mapped, 1);
  add<<<1, 1>>>(mapped + 3, 4);
  mapped[0] = 1;
  while (*seen != 4)
    std::this_thread::yield();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);

  // Another thread writes the flag while this one waits.
  managed[0] = 0;
  Device<int> out(2);
  many<<<5, 64>>>(managed, out.data);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    *(volatile int*)managed = 1;
  });
  EXPECT(out[0] == 5 * 64);
  writer.join();

  // Other streams write a flag of the device: by a kernel, a copy, a function of the host.
  Device<int> flag(1);
  cudaStream_t waits, writes;
  cudaStreamCreateWithFlags(&waits, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&writes, cudaStreamNonBlocking);
  spin<<<1, 1, 0, waits>>>(flag.data, 1);
  add<<<1, 1, 0, writes>>>(flag.data, 1);
  EXPECT(cudaStreamSynchronize(waits) == cudaSuccess);
  spin<<<1, 1, 0, waits>>>(flag.data, 2);
  cudaMemsetAsync(flag.data, 0, 4, writes);
  EXPECT(cudaStreamQuery(waits) == cudaErrorNotReady);
  mapped[4] = 2;
  cudaMemcpyAsync(flag.data, mapped + 4, 4, cudaMemcpyHostToDevice, writes);
  EXPECT(cudaStreamSynchronize(waits) == cudaSuccess);
  mapped[0] = 0;
  spin<<<1, 1, 0, waits>>>(mapped, 1);
  EXPECT(cudaLaunchHostFunc(writes, raise_flag, mapped) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(waits) == cudaSuccess);
  // A graph, of which the second node comes behind the first.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  mapped[0] = 0;
  cudaStreamBeginCapture(waits, cudaStreamCaptureModeGlobal);
  spin<<<1, 1, 0, waits>>>(mapped, 1);
  add<<<1, 1, 0, waits>>>(out.data + 1, 9);
  cudaStreamEndCapture(waits, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  EXPECT(cudaGraphLaunch(exec, waits) == cudaSuccess && cudaGraphLaunch(exec, waits) == cudaSuccess);
  EXPECT(cudaStreamQuery(waits) == cudaErrorNotReady);
  mapped[0] = 1;
  EXPECT(cudaStreamSynchronize(waits) == cudaSuccess && out[1] == 18);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  // Two wait at once.
  mapped[0] = mapped[5] = 0;
  spin<<<1, 1, 0, waits>>>(mapped, 1);
  spin<<<1, 1, 0, writes>>>(mapped + 5, 1);
  *(volatile int*)(mapped + 5) = 1;
  EXPECT(cudaStreamSynchronize(writes) == cudaSuccess && cudaStreamQuery(waits) == cudaErrorNotReady);
  *(volatile int*)mapped = 1;
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);

  mapped[0] = 0;
  limited<<<1, 1>>>(mapped, mapped + 6);
  mapped[0] = 3;
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && mapped[6] == 3);

  mapped[0] = 0;
  guarded<<<1, 1>>>(mapped, mapped + 6, 100);
#ifdef __GPUTEST_CUDA__ // the call has run what does not wait
  EXPECT(cudaStreamQuery(nullptr) == cudaSuccess);
#endif
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && mapped[6] == 4950);
  until_trapped<<<1, 1>>>(mapped);
  EXPECT(cudaStreamQuery(nullptr) == cudaErrorNotReady);
  *(volatile int*)mapped = 1;
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  return wrong;
}
// ENDS: error: the kernel has ended itself with a trap

// Work of different streams, and the host, use the same memory, and nothing orders them.
// CHECK-DAG: streams.cu:17:18: error: kernel 'fill' in stream 1 writes byte 0 of 4096 bytes of device memory, which a memset in the default stream writes ({{[^)]*}}streams.cu:36), and nothing orders the two
// CHECK-DAG: streams.cu:21:17: error: kernel 'copy' in stream 2 reads byte 0 of 4096 bytes of device memory, which kernel 'fill' in stream 1 writes ({{[^)]*}}streams.cu:17), and nothing orders the two; an event that the later stream waits for (cudaEventRecord(), cudaStreamWaitEvent()) would, or a host that waits in between (cudaDeviceSynchronize()) [stream_race]
// CHECK-DAG: streams.cu:41:{{[0-9]+}}: error: the host reads byte 0 of 4096 bytes of pinned memory, which a copy in stream 1 may still write ({{[^)]*}}streams.cu:40); the host has to wait for it before, with cudaStreamSynchronize(), cudaEventSynchronize() or cudaDeviceSynchronize() [host_race]
// CHECK-DAG: streams.cu:46:{{[0-9]+}}: error: the host writes byte 4092 of 4096 bytes of pinned memory, which a copy in stream 1 may still read ({{[^)]*}}streams.cu:45)
// CHECK-DAG: streams.cu:51:{{[0-9]+}}: error: the host reads byte 4 of 4096 bytes of managed memory, which kernel 'fill' in the default stream may still write ({{[^)]*}}streams.cu:17)
// CHECK-DAG: streams.cu:55:{{[0-9]+}}: error: the end of an allocation in stream 2 writes byte 0 of 4096 bytes of device memory, which kernel 'fill' in stream 1 writes
// CHECK-DAG: streams.cu:17:18: error: kernel 'fill' in a graph in stream 1 writes byte 0 of 4096 bytes of device memory, which a memset in a graph in stream 1 writes
// CHECK-DAG: streams.cu:81:{{[0-9]+}}: error: a copy in the default stream reads byte 0 of 4096 bytes of device memory, which a memset in stream 2 writes
#include "../check.h"

#include <cuda.h>

constexpr int kInts = 1024; // a page

__global__ void fill(int* a) {
  a[threadIdx.x] = threadIdx.x;
}

__global__ void copy(const int* a, int* b) {
  const int i = a[threadIdx.x];
  b[threadIdx.x] = i;
}

constexpr int kBytes = kInts * sizeof(int);
cudaStream_t first, second;
int seen;

int main() {
  int *a, *b, *pinned, *managed;
  cudaMalloc(&a, kBytes);
  cudaMalloc(&b, kBytes);
  cudaMallocHost(&pinned, kBytes);
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaMemset(a, 0, kBytes);
  fill<<<1, kInts, 0, first>>>(a);
  copy<<<1, kInts, 0, second>>>(a, b);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(pinned, b, kBytes, cudaMemcpyDeviceToHost, first);
  seen += *static_cast<volatile int*>(pinned);
  cudaStreamSynchronize(first);
  seen += pinned[0];

  cudaMemcpyAsync(b, pinned, kBytes, cudaMemcpyHostToDevice, first);
  static_cast<volatile int*>(pinned)[kInts - 1] = 1;
  cudaDeviceSynchronize();

  cudaMallocManaged(&managed, kBytes);
  fill<<<1, kInts>>>(managed);
  seen += static_cast<volatile int*>(managed)[1];
  cudaDeviceSynchronize();

  fill<<<1, kInts, 0, first>>>(a);
  cudaFreeAsync(a, second);
  cudaDeviceSynchronize();
  cudaMalloc(&a, kBytes);

  // Two branches of a graph.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  cudaMemsetParams set{};
  set.dst = a;
  set.elementSize = 4;
  set.width = kInts;
  set.height = 1;
  cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &set);
  void* arguments[] = {&a};
  cudaKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(fill);
  params.gridDim = 1;
  params.blockDim = kInts;
  params.kernelParams = arguments;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, first);
  cudaDeviceSynchronize();
  cuMemsetD32Async(reinterpret_cast<CUdeviceptr>(a), 1, kInts, second);
  cudaMemcpy(pinned, a, kBytes, cudaMemcpyDeviceToHost);
  EXPECT(pinned[5] == 1); // what the simulator does, in the order of calls
  return wrong;
}

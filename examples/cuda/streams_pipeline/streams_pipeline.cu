// Pieces of an array go through two streams: copied, computed with, copied back; events order them,
// and the same work is captured as a graph.
#include <cstdio>
#include <vector>

__global__ void square(int* numbers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    numbers[i] *= numbers[i];
}

int main() {
  constexpr int n = 400, pieces = 4, piece = n / pieces;
  int *host = nullptr, *device = nullptr;
  if (cudaMallocHost(&host, n * sizeof(int)) != cudaSuccess ||
      cudaMalloc(&device, n * sizeof(int)) != cudaSuccess)
    return 1;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams)
    cudaStreamCreate(&stream);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  for (int p = 0; p < pieces; ++p) {
    const cudaStream_t stream = streams[p % 2];
    int* const at = device + p * piece;
    cudaMemcpyAsync(at, host + p * piece, piece * sizeof(int), cudaMemcpyHostToDevice, stream);
    square<<<(piece + 63) / 64, 64, 0, stream>>>(at, piece);
    cudaMemcpyAsync(host + p * piece, at, piece * sizeof(int), cudaMemcpyDeviceToHost, stream);
  }
  cudaDeviceSynchronize();
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = -1;
  bool right = cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess && milliseconds >= 0;
  for (int i = 0; i < n; ++i)
    right = right && host[i] == i * i;

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(device, 0, n * sizeof(int), streams[0]);
  square<<<(n + 63) / 64, 64, 0, streams[0]>>>(device, n);
  cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, streams[0]);
  cudaStreamEndCapture(streams[0], &graph);
  right = right && host[3] == 9; // nothing has happened yet
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, streams[0]);
  cudaStreamSynchronize(streams[0]);
  right = right && host[3] == 0 && host[n - 1] == 0;
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  for (cudaStream_t stream : streams)
    cudaStreamDestroy(stream);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(device);
  cudaFreeHost(host);
  right = right && cudaGetLastError() == cudaSuccess;
  std::printf("%s\n", right ? "passed" : "failed");
  return right ? 0 : 1;
}

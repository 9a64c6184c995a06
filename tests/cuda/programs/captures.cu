// What fails while a stream is captured, in each mode, as on an H200 with CUDA 13.
#include "../check.h"

#include <functional>

__global__ void add(int* to) {
  to[0] += 1;
}

static cudaStream_t captured, other, own;
static cudaEvent_t before, done;
static int *device, *pinned, pageable;

struct Call {
  const char* name;
  std::function<cudaError_t()> make;
  cudaError_t error;   // in the modes global and thread-local
  cudaError_t relaxed; // in the mode relaxed
};

static cudaError_t launch(cudaStream_t stream) {
  add<<<1, 1, 0, stream>>>(device);
  return cudaPeekAtLastError();
}

static const Call calls[] = {
    {"cudaMalloc",
     [] {
       void* p;
       return cudaMalloc(&p, 16);
     },
     cudaErrorStreamCaptureUnsupported, cudaSuccess},
    {"cudaFree", [] { return cudaFree(nullptr); }, cudaErrorStreamCaptureUnsupported, cudaSuccess},
    {"cudaMallocHost",
     [] {
       void* p;
       return cudaMallocHost(&p, 16);
     },
     cudaErrorStreamCaptureUnsupported, cudaSuccess},
    {"cudaMallocManaged",
     [] {
       void* p;
       return cudaMallocManaged(&p, 16);
     },
     cudaErrorStreamCaptureUnsupported, cudaSuccess},
    {"cudaMemcpy", [] { return cudaMemcpy(device, &pageable, 4, cudaMemcpyHostToDevice); },
     cudaErrorStreamCaptureImplicit, cudaErrorStreamCaptureImplicit},
    {"cudaMemcpyAsync",
     [] { return cudaMemcpyAsync(device, pinned, 4, cudaMemcpyHostToDevice, nullptr); },
     cudaErrorStreamCaptureImplicit, cudaErrorStreamCaptureImplicit},
    {"cudaMemset", [] { return cudaMemset(device, 0, 4); }, cudaErrorStreamCaptureImplicit,
     cudaErrorStreamCaptureImplicit},
    {"<<<>>>", [] { return launch(nullptr); }, cudaErrorStreamCaptureImplicit,
     cudaErrorStreamCaptureImplicit},
    {"<<<other>>>", [] { return launch(other); }, cudaSuccess, cudaSuccess},
    {"<<<own>>>", [] { return launch(own); }, cudaSuccess, cudaSuccess},
    {"cudaDeviceSynchronize", [] { return cudaDeviceSynchronize(); },
     cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureUnsupported},
    {"cudaStreamSynchronize other", [] { return cudaStreamSynchronize(other); },
     cudaErrorStreamCaptureUnsupported, cudaSuccess},
    {"cudaStreamQuery other", [] { return cudaStreamQuery(other); },
     cudaErrorStreamCaptureUnsupported, cudaSuccess},
    {"cudaStreamQuery", [] { return cudaStreamQuery(captured); }, cudaErrorStreamCaptureUnsupported,
     cudaErrorStreamCaptureUnsupported},
    {"cudaStreamSynchronize 0", [] { return cudaStreamSynchronize(nullptr); },
     cudaErrorStreamCaptureImplicit, cudaErrorStreamCaptureImplicit},
    {"cudaStreamCreate",
     [] {
       cudaStream_t stream;
       return cudaStreamCreate(&stream);
     },
     cudaSuccess, cudaSuccess},
    {"cudaEventCreate",
     [] {
       cudaEvent_t event;
       return cudaEventCreate(&event);
     },
     cudaSuccess, cudaSuccess},
    {"cudaEventRecord 0", [] { return cudaEventRecord(done, nullptr); },
     cudaErrorStreamCaptureImplicit, cudaErrorStreamCaptureImplicit},
    {"cudaMemcpyAsync of pageable memory",
     [] { return cudaMemcpyAsync(device, &pageable, 4, cudaMemcpyHostToDevice, captured); },
     cudaSuccess, cudaSuccess},
    {"cudaStreamAddCallback",
     [] {
       return cudaStreamAddCallback(captured, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0);
     },
     cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureUnsupported},
    {"cudaMemGetInfo",
     [] {
       size_t free, total;
       return cudaMemGetInfo(&free, &total);
     },
     cudaSuccess, cudaSuccess},
};

static void make(const Call& call, cudaStreamCaptureMode mode, cudaError_t error) {
  cudaStreamBeginCapture(captured, mode);
  add<<<1, 1, 0, captured>>>(device);
  const bool is_right = call.make() == error && cudaGetLastError() == error;
  cudaStreamCaptureStatus status;
  cudaGraph_t graph;
  cudaStreamIsCapturing(captured, &status);
  const cudaError_t end = cudaStreamEndCapture(captured, &graph);
  if (!is_right ||
      status != (error ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive) ||
      end != (error ? cudaErrorStreamCaptureInvalidated : cudaSuccess)) {
    std::printf("%s in mode %d is wrong: status %d, at the end %d\n", call.name, mode, status, end);
    ++wrong;
  }
  cudaGetLastError();
  if (graph)
    cudaGraphDestroy(graph);
  cudaDeviceSynchronize();
}

int main() {
  cudaMalloc(&device, 16);
  cudaMallocHost(&pinned, 16);
  cudaStreamCreate(&captured);
  cudaStreamCreate(&other);
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  cudaEventCreate(&before);
  cudaEventCreate(&done);
  for (const Call& call : calls) {
    make(call, cudaStreamCaptureModeGlobal, call.error);
    make(call, cudaStreamCaptureModeThreadLocal, call.error);
    make(call, cudaStreamCaptureModeRelaxed, call.relaxed);
  }
  // A thread may ask for less. Streams that do not wait for the default one forbid its use to
  // nobody.
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode);
  make(calls[0], cudaStreamCaptureModeGlobal, cudaSuccess);
  cudaThreadExchangeStreamCaptureMode(&mode);
  cudaGraph_t graph;
  cudaStreamBeginCapture(own, cudaStreamCaptureModeGlobal);
  EXPECT(cudaMemset(device, 0, 4) == cudaSuccess);
  EXPECT(cudaStreamEndCapture(own, &graph) == cudaSuccess);

  // Events of a capture are in a graph, and never occur.
  float time;
  cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal);
  cudaEventRecord(before, captured);
  cudaEventRecord(done, captured);
  EXPECT(cudaStreamEndCapture(captured, &graph) == cudaSuccess);
  EXPECT(cudaEventQuery(done) == cudaErrorInvalidValue);
  EXPECT(cudaEventSynchronize(done) == cudaErrorInvalidValue);
  EXPECT(cudaEventElapsedTime(&time, before, done) == cudaErrorInvalidValue);
  EXPECT(cudaStreamWaitEvent(other, done, 0) == cudaErrorInvalidValue);
  EXPECT(cudaEventRecord(done, captured) == cudaSuccess &&
         cudaEventSynchronize(done) == cudaSuccess);
  cudaGetLastError();
  return wrong;
}

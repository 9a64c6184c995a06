// Streams, events and graphs. What is put into a stream happens at once, so that all orders hold.
#include "cuda/runtime/call.h"

#include <chrono>

using namespace gputest::cuda;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

CUgraph_st* capture_of(cudaStream_t stream) {
  return stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread ? stream->capture
                                                                               : nullptr;
}

std::list<cudaStream_t>& streams() {
  static auto* const all = new std::list<cudaStream_t>; // NOLINT
  return *all;
}

cudaError_t wait_for(cudaStream_t stream) {
  if (capture_of(stream))
    return State::get().report(cudaErrorStreamCaptureUnsupported);
  return cudaDeviceSynchronize();
}

} // namespace

extern "C" {
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return call([&](State&) {
    if (flags > cudaStreamNonBlocking)
      return cudaErrorInvalidValue;
    *stream = new CUstream_st{.flags = flags, .priority = priority};
    streams().push_back(*stream);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  *priority = stream ? stream->priority : 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  *flags = stream ? stream->flags : cudaStreamDefault;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&](State&) {
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    streams().remove(stream);
    delete stream;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return wait_for(stream);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return wait_for(stream);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  return call([&](State&) {
    if (!event)
      return cudaErrorInvalidResourceHandle;
    if (stream && event->capture) // the stream takes part in the capture from now on
      stream->capture = event->capture;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  State& state = State::get();
  state.flush();
  callback(stream, state.device_error(), data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return in_stream(stream, kHostNode, [=](State& state) {
    state.flush();
    function(data);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return call([&](State&) {
    *event = new CUevent_st{.flags = flags};
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&](State&) {
    if (!event)
      return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  if (!event)
    return State::get().report(cudaErrorInvalidResourceHandle);
  event->capture = capture_of(stream);
  return in_stream(stream, kEmptyNode, [event](State&) {
    event->recorded = true;
    event->seconds = now();
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return event ? cudaDeviceSynchronize() : State::get().report(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return cudaEventQuery(event);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call([&](State&) {
    if (!start || !end || !start->recorded || !end->recorded ||
        (start->flags | end->flags) & cudaEventDisableTiming)
      return cudaErrorInvalidResourceHandle;
    *milliseconds = static_cast<float>((end->seconds - start->seconds) * 1e3);
    return cudaSuccess;
  });
}

// No call is unsafe here while a stream is captured, in any mode.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  return call([&](State&) {
    if (!mode)
      return cudaErrorInvalidValue;
    std::swap(*mode, current);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return call([&](State&) {
    if (!stream || stream == cudaStreamLegacy)
      return cudaErrorStreamCaptureUnsupported;
    if (stream->capture)
      return cudaErrorIllegalState;
    stream->capture = new CUgraph_st;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&](State&) {
    *graph = capture_of(stream);
    if (!*graph)
      return cudaErrorIllegalState;
    for (cudaStream_t other : streams())
      if (other->capture == *graph)
        other->capture = nullptr;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = capture_of(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  return call([&](State&) {
    if (!graph)
      return cudaErrorInvalidValue;
    *exec = new CUgraphExec_st;
    for (const CUgraphNode_st& node : graph->nodes)
      (*exec)->nodes.push_back(node.run);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (!exec)
    return State::get().report(cudaErrorInvalidValue);
  return in_stream(stream, kEmptyNode, [exec](State&) {
    for (const auto& run : exec->nodes)
      if (const cudaError_t error = run())
        return error;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call([&](State&) {
    if (nodes) {
      size_t at = 0;
      for (CUgraphNode_st& node : graph->nodes)
        if (at < *count)
          nodes[at++] = &node;
    }
    *count = graph->nodes.size();
    return cudaSuccess;
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete exec;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
}

// How the functions of the API are written.
#pragma once

#include "cuda/runtime/queue.h"

#include <utility>

namespace gputest::cuda {

// Runs `what` under the lock; what it returns becomes the thread's last error. A broken device lets
// no call through.
template <typename What> cudaError_t call(What&& what) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (const cudaError_t error = state.device_error())
    return state.report(error);
  return state.report(std::forward<What>(what)(state));
}

// The same of calls that wait for what is in the default stream.
template <typename What> cudaError_t blocking_call(What&& what) {
  wait_for_stream(nullptr);
  return call(std::forward<What>(what));
}

// Whether the program has made the stream.
inline bool is_made(cudaStream_t stream) {
  return stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
}

// The graph that is captured into; null: the stream does what it is given at once.
inline CUgraph_st* capture_of(cudaStream_t stream) {
  return is_made(stream) ? stream->capture : nullptr;
}

// The default stream is that of the thread's device.
inline int device_of(cudaStream_t stream) {
  return is_made(stream) ? stream->device : State::device();
}

// What may be captured: it is done now, or when the graph is.
inline cudaError_t in_stream(cudaStream_t stream, cudaGraphNodeType type, Work work) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (CUgraph_st* const graph = capture_of(stream)) {
    stream->last = {&add_node(*graph, type, std::move(work), stream->last)};
    return cudaSuccess;
  }
  if (const cudaError_t error = state.device_error())
    return state.report(error);
  return state.report(state.queue().put(state, stream, type, work));
}
template <typename What>
cudaError_t in_stream(cudaStream_t stream, cudaGraphNodeType type, What what)
  requires(!std::is_convertible_v<What, Work>)
{
  return in_stream(stream, type, Work(OtherWork{std::move(what)}));
}

} // namespace gputest::cuda

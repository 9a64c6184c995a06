// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for functions of the runtime API.
#pragma once

#include "cuda/runtime/queue.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace gputest::cuda {

// Runs `what` under the lock. Its result becomes the thread's last error. If the device has an
// error that stays, returns that error instead.
template <typename What> cudaError_t call(What&& what) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (const cudaError_t error = state.device_error())
    return state.report(error);
  return state.report(std::forward<What>(what)(state));
}

// A pointer that must not be null, or the handle of an object that must exist.
struct Needed {
  cudaError_t error;
  Needed(const void* pointer) : error(pointer ? cudaSuccess : cudaErrorInvalidValue) {}
  template <Handled T>
  Needed(const T* handle) : error(is_live(handle) ? cudaSuccess : cudaErrorInvalidValue) {}
  Needed(const CUevent_st* event)
      : error(is_live(event) ? cudaSuccess : cudaErrorInvalidResourceHandle) {}
};

// The same for a call that needs all of these.
template <typename What> cudaError_t call_with(std::initializer_list<Needed> needed, What&& what) {
  return call([&](State& state) {
    const auto* const wrong =
        std::ranges::find_if(needed, [](const Needed& one) { return one.error; });
    return wrong == needed.end() ? what(state) : wrong->error;
  });
}

// Work of the default stream that a call does itself. The host has waited for it unless it only
// concerns memory of the device.
class WorkOfCall {
public:
  explicit WorkOfCall(State& state)
      : order_(state.queue().performing() ? nullptr : state.order()),
        doing_(order_, order_ ? order_->put(place_of(nullptr), "a copy") : nullptr) {
    if (order_)
      order_->take_touched_host();
  }
  WorkOfCall(const WorkOfCall&) = delete;
  WorkOfCall& operator=(const WorkOfCall&) = delete;
  ~WorkOfCall() {
    if (order_ && order_->take_touched_host())
      order_->host_waits(Clock(order_->current()->done));
  }

private:
  Order* order_;
  Doing doing_;
};

inline bool is_default(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}
// Whether the program has created the stream.
inline bool is_made(cudaStream_t stream) {
  return !is_default(stream) && is_live(stream);
}
inline cudaError_t wrong_device(int device) {
  return State::get().is_device(device) ? cudaSuccess : cudaErrorInvalidDevice;
}
inline cudaError_t wrong_stream(cudaStream_t stream) {
  return is_default(stream) || is_live(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

// The graph into which the stream is captured; null: it is not captured.
inline CUgraph_st* capture_of(cudaStream_t stream) {
  const cudaStream_t record = record_of(stream);
  return record ? record->capture : nullptr;
}

// The stream's device. A default stream belongs to the thread's device.
inline int device_of(cudaStream_t stream) {
  return is_made(stream) ? stream->device : State::device();
}

// The same as call() for calls that first wait for the default stream.
template <typename What> cudaError_t blocking_call(What&& what) {
  if (capture_of(nullptr)) // of the thread's default stream
    return end_captures_by_waiting(nullptr);
  if (const cudaError_t error = end_captures_by_use_of(nullptr))
    return error;
  wait_for_stream(nullptr);
  return call([&](State& state) {
    const WorkOfCall work(state);
    return what(state);
  });
}

// Puts work into a stream: does it now, queues it, or adds it to the graph that is captured.
inline cudaError_t in_stream(cudaStream_t stream, cudaGraphNodeType type, Work work) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (const cudaError_t error = wrong_stream(stream))
    return state.report(error);
  if (CUgraph_st* const graph = capture_of(stream)) {
    if (graph->is_invalid_capture)
      return state.report(cudaErrorStreamCaptureInvalidated);
    std::vector<cudaGraphNode_t>& last = record_of(stream)->last;
    last = {&add_node(*graph, type, std::move(work), last)};
    return cudaSuccess;
  }
  if (const cudaError_t error = end_captures_by_use_of(stream))
    return error;
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

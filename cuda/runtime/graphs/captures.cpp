// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Captures of streams, and what calls must not do while there are any.
#include "cuda/runtime/call.h"

#include <algorithm>
#include <set>
#include <thread>

using namespace gputest::cuda;

namespace {

thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

// Whether the capture of the stream forbids it to this thread.
bool forbids(cudaStream_t stream, Unsafe use) {
  if (use == Unsafe::Device)
    return true;
  if (use == Unsafe::LegacyStream)
    return place_of(stream).blocks;
  const CUgraph_st& capture = *stream->capture;
  if (mode_of_thread == cudaStreamCaptureModeRelaxed ||
      capture.capture_mode == cudaStreamCaptureModeRelaxed)
    return false;
  return capture.capturing_thread == std::this_thread::get_id() ||
         (mode_of_thread == cudaStreamCaptureModeGlobal &&
          capture.capture_mode == cudaStreamCaptureModeGlobal);
}

// Whether the stream that began the capture has come to all that other streams have captured.
bool is_joined(const CUgraph_st& captured, cudaStream_t stream) {
  std::set<cudaGraphNode_t> reached;
  std::vector<cudaGraphNode_t> left = stream->last;
  while (!left.empty()) {
    const cudaGraphNode_t node = left.back();
    left.pop_back();
    if (reached.insert(node).second)
      left.insert(left.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return std::ranges::all_of(created_streams(), [&](cudaStream_t other) {
    return other->capture != &captured ||
           std::ranges::all_of(other->last, [&](auto node) { return reached.contains(node); });
  });
}

cudaStreamCaptureStatus status_of(const CUgraph_st* captured) {
  return !captured                      ? cudaStreamCaptureStatusNone
         : captured->is_invalid_capture ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
}

} // namespace

namespace gputest::cuda {

std::list<cudaStream_t>& created_streams() {
  static auto* const all = new std::list<cudaStream_t>; // NOLINT
  return *all;
}

bool goes_on(const CUgraph_st* capture) {
  return capture && std::ranges::any_of(created_streams(), [&](cudaStream_t stream) {
           return stream->capture == capture;
         });
}

cudaError_t end_captures_by(Unsafe use) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (state.queue().performing())
    return cudaSuccess;
  bool is_forbidden = false;
  for (cudaStream_t stream : created_streams())
    if (stream->capture && forbids(stream, use))
      is_forbidden = stream->capture->is_invalid_capture = true;
  if (!is_forbidden)
    return cudaSuccess;
  return state.report(use == Unsafe::LegacyStream ? cudaErrorStreamCaptureImplicit
                                                  : cudaErrorStreamCaptureUnsupported);
}

cudaError_t end_captures_by_use_of(cudaStream_t stream) {
  return is_made(stream) || !place_of(stream).legacy ? cudaSuccess
                                                     : end_captures_by(Unsafe::LegacyStream);
}

cudaError_t end_captures_by_waiting(cudaStream_t stream) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (CUgraph_st* const captured = capture_of(stream)) {
    captured->is_invalid_capture = true;
    return state.report(cudaErrorStreamCaptureUnsupported);
  }
  if (const cudaError_t error = wrong_stream(stream))
    return state.report(error);
  return end_captures_by(place_of(stream).legacy ? Unsafe::LegacyStream : Unsafe::OtherStream);
}

cudaError_t end_captures_by_waiting(const CUevent_st& event) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (!event.capture)
    return cudaSuccess;
  if (!goes_on(event.capture)) // it is in a graph, and never occurs
    return state.report(cudaErrorInvalidValue);
  event.capture->is_invalid_capture = true;
  return state.report(cudaErrorCapturedEvent);
}

} // namespace gputest::cuda

extern "C" {
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call([&](State&) {
    if (!mode)
      return cudaErrorInvalidValue;
    std::swap(*mode, mode_of_thread);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode mode) {
  return call([&](State&) {
    const cudaStream_t record = record_of(stream);
    if (!record)
      return is_default(stream) ? cudaErrorStreamCaptureUnsupported : wrong_stream(stream);
    if (record->capture)
      return cudaErrorIllegalState;
    if ((graph && !is_live(graph)) || (count > 0 && !dependencies))
      return cudaErrorInvalidValue;
    record->capture = graph ? graph : new CUgraph_st;
    record->capture->capture_mode = mode;
    record->capture->capturing_thread = std::this_thread::get_id();
    record->began_capture = true;
    record->last.assign(dependencies, dependencies + count);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, mode);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&](State&) {
    CUgraph_st* const captured = capture_of(stream);
    if (graph)
      *graph = nullptr;
    if (!captured)
      return is_made(stream) || is_default(stream) ? cudaErrorIllegalState : wrong_stream(stream);
    const cudaStream_t record = record_of(stream);
    if (!record->began_capture) {
      captured->is_invalid_capture = true;
      return cudaErrorStreamCaptureUnmatched;
    }
    const cudaError_t error = captured->is_invalid_capture    ? cudaErrorStreamCaptureInvalidated
                              : !is_joined(*captured, record) ? cudaErrorStreamCaptureUnjoined
                                                              : cudaSuccess;
    captured->is_invalid_capture = false;
    for (cudaStream_t other : created_streams())
      if (other->capture == captured) {
        other->capture = nullptr;
        other->began_capture = false;
        other->last.clear();
      }
    if (graph && error == cudaSuccess) // a program that captures into its own graph already has it
      *graph = captured;
    return error;
  });
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, size_t* count) {
  return call_with({status}, [&](State&) {
    CUgraph_st* const captured = capture_of(stream);
    *status = status_of(captured);
    if (!captured)
      return wrong_stream(stream);
    const CUstream_st& record = *record_of(stream);
    if (id)
      *id = record.id;
    if (graph)
      *graph = captured;
    if (dependencies)
      *dependencies = record.last.data();
    if (count)
      *count = record.last.size();
    return cudaSuccess;
  });
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                size_t count, unsigned int flags) {
  return call([&](State&) {
    if (!capture_of(stream))
      return is_made(stream) || is_default(stream) ? cudaErrorIllegalState : wrong_stream(stream);
    if (count > 0 && !dependencies)
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t>& last = record_of(stream)->last;
    if (flags == cudaStreamSetCaptureDependencies)
      last.clear();
    last.insert(last.end(), dependencies, dependencies + count);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (!status || wrong_stream(stream))
    return State::get().report(!status ? cudaErrorInvalidValue : wrong_stream(stream));
  *status = status_of(capture_of(stream));
  return cudaSuccess;
}
}

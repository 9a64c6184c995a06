// How the functions of the API are written.
#pragma once

#include "cuda/runtime/state.h"

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

// The same of what may be captured: it is run now, or when the graph is.
template <typename What> cudaError_t in_stream(cudaStream_t stream, int type, What what) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (CUgraph_st* const graph =
          stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread ? stream->capture
                                                                                : nullptr) {
    graph->nodes.push_back({.run = [what] { return what(State::get()); }, .type = type});
    return cudaSuccess;
  }
  if (const cudaError_t error = state.device_error())
    return state.report(error);
  return state.report(what(state));
}

// cudaGraphNodeType.
enum NodeType { kKernelNode = 0, kMemcpyNode = 1, kMemsetNode = 2, kHostNode = 3, kEmptyNode = 5 };

} // namespace gputest::cuda

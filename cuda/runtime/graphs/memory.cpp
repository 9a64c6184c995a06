// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that nodes of graphs allocate and free.
#include "cuda/runtime/call.h"

#include <utility>

using namespace gputest::cuda;

namespace {

// By address: whether memory that a graph allocates exists now. The address stays the same.
std::map<void*, bool>& graph_memory() {
  static auto* const all = new std::map<void*, bool>; // NOLINT
  return *all;
}

// The bytes of all such memory, whether it exists now or not.
std::uint64_t graph_bytes(const State& state) {
  std::uint64_t bytes = 0;
  for (const auto& [memory, is_there] : graph_memory())
    bytes += state.heap.find(memory)->size;
  return bytes;
}

} // namespace

cudaError_t gputest::cuda::take_graph_memory(void* memory) {
  bool& is_there = graph_memory()[memory];
  if (is_there) // the previous launch has not freed it
    return cudaErrorInvalidValue;
  is_there = true;
  return cudaSuccess;
}

cudaError_t gputest::cuda::free_graph_memory(State&, void* memory, bool& is_of_graph) {
  const auto found = graph_memory().find(memory);
  is_of_graph = found != graph_memory().end();
  if (!is_of_graph)
    return cudaSuccess;
  const bool was_there = std::exchange(found->second, false);
  return was_there ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t gputest::cuda::add_allocation(State& state, CUgraph_st& graph,
                                          cudaMemAllocNodeParams& params,
                                          std::vector<cudaGraphNode_t> dependencies,
                                          CUgraphNode_st*& node) {
  const std::uint64_t address = state.allocate(params.bytesize, MemoryKind::Device);
  if (params.bytesize == 0 || address == 0)
    return params.bytesize == 0 ? cudaErrorInvalidValue : cudaErrorMemoryAllocation;
  params.dptr = reinterpret_cast<void*>(address);
  graph_memory()[params.dptr] = false;
  node = &add_node(graph, cudaGraphNodeTypeMemAlloc, params, std::move(dependencies));
  return cudaSuccess;
}

extern "C" {
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return call([&](State& state) {
    if (!state.is_device(device))
      return cudaErrorInvalidDevice;
    if (!value || attribute > cudaGraphMemAttrReservedMemHigh)
      return cudaErrorInvalidValue;
    *static_cast<std::uint64_t*>(value) = graph_bytes(state);
    return cudaSuccess;
  });
}
// The high-water marks can be reset to the current use.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return call([&](State& state) {
    if (!state.is_device(device))
      return cudaErrorInvalidDevice;
    return value &&
                   (attribute == cudaGraphMemAttrUsedMemHigh ||
                    attribute == cudaGraphMemAttrReservedMemHigh) &&
                   *static_cast<std::uint64_t*>(value) == 0
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return call(
      [&](State& state) { return state.is_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}
}

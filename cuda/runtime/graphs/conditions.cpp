// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional nodes of graphs. A handle is the address of a word that kernels write.
#include "cuda/runtime/call.h"

#include <algorithm>
#include <utility>

using namespace gputest::cuda;

namespace {

unsigned& value_of(const State& state, std::uint64_t handle) {
  return *reinterpret_cast<unsigned*>(state.heap.view(reinterpret_cast<const void*>(handle)));
}

cudaError_t run(State& state, const ConditionWork& work, std::size_t body) {
  const bool may_wait = std::exchange(state.may_wait, false); // the next node depends on the result
  const cudaError_t error = perform(state, cudaGraphNodeTypeGraph, ChildGraph{work.bodies[body]});
  state.may_wait = may_wait;
  return error;
}

std::shared_ptr<CUgraph_st> clone_of(const CUgraph_st& graph) {
  return std::make_shared<CUgraph_st>(graph);
}

std::vector<cudaGraph_t> handles_of(const ConditionWork& work) {
  std::vector<cudaGraph_t> handles;
  for (const std::shared_ptr<CUgraph_st>& body : work.bodies)
    handles.push_back(body.get());
  return handles;
}

} // namespace

Work gputest::cuda::clone_of(const Work& work) {
  if (const auto* const child = std::get_if<ChildGraph>(&work))
    return ChildGraph{::clone_of(*child->graph)};
  if (const auto* const condition = std::get_if<std::shared_ptr<ConditionWork>>(&work)) {
    auto clone = std::make_shared<ConditionWork>(**condition);
    for (std::shared_ptr<CUgraph_st>& body : clone->bodies)
      body = ::clone_of(*body);
    clone->graphs = handles_of(*clone);
    return clone;
  }
  return work;
}

void gputest::cuda::assign_conditions(State& state, const CUgraph_st& graph) {
  for (const Condition& condition : graph.conditions)
    if (condition.assigns) {
      value_of(state, condition.handle) = condition.value;
      state.written(reinterpret_cast<const void*>(condition.handle), sizeof condition.value);
    }
}

cudaError_t gputest::cuda::perform_condition(State& state, const ConditionWork& work) {
  const auto value = [&] { return value_of(state, work.handle); };
  switch (work.type) {
  case cudaGraphCondTypeIf:
    if (value() != 0)
      return run(state, work, 0);
    return work.bodies.size() > 1 ? run(state, work, 1) : cudaSuccess;
  case cudaGraphCondTypeWhile:
    while (value() != 0)
      if (const cudaError_t error = run(state, work, 0))
        return error;
    return cudaSuccess;
  case cudaGraphCondTypeSwitch:
    break;
  }
  return value() < work.bodies.size() ? run(state, work, value()) : cudaSuccess;
}

cudaError_t gputest::cuda::condition_work(const CUgraph_st& graph,
                                          cudaConditionalNodeParams& params, Work& work) {
  const bool is_known = std::ranges::any_of(
      graph.conditions, [&](const Condition& one) { return one.handle == params.handle; });
  const unsigned most = params.type == cudaGraphCondTypeIf      ? 2
                        : params.type == cudaGraphCondTypeWhile ? 1
                                                                : ~0U;
  if (!is_known || params.type > cudaGraphCondTypeSwitch || params.size == 0 || params.size > most)
    return cudaErrorInvalidValue;
  auto made = std::make_shared<ConditionWork>();
  made->handle = params.handle;
  made->type = params.type;
  for (unsigned i = 0; i < params.size; ++i) {
    made->bodies.push_back(std::make_shared<CUgraph_st>());
    made->bodies.back()->conditions = graph.conditions; // nodes inside may use any of the graph's
                                                        // handles
    for (Condition& condition : made->bodies.back()->conditions)
      condition.assigns = false;
  }
  made->graphs = handles_of(*made);
  params.phGraph_out = made->graphs.data();
  work = made;
  return cudaSuccess;
}

extern "C" {
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int value, unsigned int flags) {
  return call([&](State& state) {
    if (!handle || !is_live(graph) || flags > cudaGraphCondAssignDefault)
      return cudaErrorInvalidValue;
    const std::uint64_t word =
        state.allocate(sizeof value, MemoryKind::Device, 0, "the condition of a graph");
    if (word == 0)
      return cudaErrorMemoryAllocation;
    state.written(reinterpret_cast<const void*>(word), sizeof value);
    graph->conditions.push_back(
        {.handle = word, .value = value, .assigns = flags == cudaGraphCondAssignDefault});
    *handle = word;
    return cudaSuccess;
  });
}
}

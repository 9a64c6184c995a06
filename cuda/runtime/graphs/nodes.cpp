// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of graphs: adding them, reading their parameters, and running them.
#include "cuda/runtime/call.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

using namespace gputest::cuda;

namespace {

cudaError_t fill(State& state, const cudaMemsetParams& p) {
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4)
    return cudaErrorInvalidValue;
  if (p.elementSize == 1)
    return cudaMemset2DAsync(p.dst, p.height > 1 ? p.pitch : p.width, static_cast<int>(p.value),
                             p.width, p.height, nullptr);
  for (std::size_t y = 0; y < p.height; ++y) {
    auto* const row = static_cast<std::byte*>(p.dst) + y * p.pitch;
    const std::size_t bytes = p.width * p.elementSize;
    const Allocation* const allocation = state.heap.find(row);
    if (!allocation ||
        reinterpret_cast<std::uint64_t>(row) + bytes > allocation->address + allocation->size)
      return cudaErrorInvalidValue;
    for (std::size_t x = 0; x < bytes; x += p.elementSize)
      std::memcpy(state.place_of_host(row) + x, &p.value, p.elementSize);
    state.written(row, bytes);
  }
  return cudaSuccess;
}

cudaError_t copy(const cudaMemcpy3DParms& p) {
  if (p.srcArray || p.dstArray || p.extent.height > 1 || p.extent.depth > 1)
    return cudaMemcpy3DAsync(&p, nullptr);
  const auto begin = [](const cudaPitchedPtr& pointer, const cudaPos& at) {
    return static_cast<std::byte*>(pointer.ptr) + (at.z * pointer.ysize + at.y) * pointer.pitch +
           at.x;
  };
  return cudaMemcpyAsync(begin(p.dstPtr, p.dstPos), begin(p.srcPtr, p.srcPos), p.extent.width,
                         p.kind, nullptr);
}

cudaError_t set_kernel(State& state, CUgraphNode_st* node, const cudaKernelNodeParams& params) {
  const auto* const before =
      is_live(node) ? std::get_if<std::shared_ptr<KernelWork>>(&node->work) : nullptr;
  if (!before) // a library's work has no kernel
    return cudaErrorInvalidValue;
  std::shared_ptr<KernelWork> work;
  if (const cudaError_t error =
          kernel_work(state, params, *before ? (*before)->shape : LaunchShape{}, work))
    return error;
  node->work = work;
  return cudaSuccess;
}

template <typename T> cudaError_t get(cudaGraphNode_t node, T* params) {
  return call([&](State&) {
    const T* const has = is_live(node) && params ? std::get_if<T>(&node->work) : nullptr;
    if (!has)
      return cudaErrorInvalidValue;
    *params = *has;
    return cudaSuccess;
  });
}

cudaError_t get_event(cudaGraphNode_t node, cudaEvent_t* event) {
  EventWork work{};
  const cudaError_t error = get(node, event ? &work : nullptr);
  if (event)
    *event = work.event;
  return error;
}

cudaError_t set_any(State& state, CUgraphNode_st* node, const cudaGraphNodeParams& params) {
  switch (params.type) {
  case cudaGraphNodeTypeKernel:
    return set_kernel(state, node, params.kernel);
  case cudaGraphNodeTypeMemcpy:
    return set_work(node, params.type, params.memcpy.copyParams);
  case cudaGraphNodeTypeMemset:
    return set_work(node, params.type, params.memset);
  case cudaGraphNodeTypeHost:
    return set_work(node, params.type, params.host);
  case cudaGraphNodeTypeGraph:
    return is_live(params.graph.graph)
               ? set_work(node, params.type,
                          ChildGraph{std::make_shared<CUgraph_st>(*params.graph.graph)})
               : cudaErrorInvalidValue;
  case cudaGraphNodeTypeWaitEvent:
    return set_work(node, params.type, EventWork{params.eventWait.event});
  case cudaGraphNodeTypeEventRecord:
    return set_work(node, params.type, EventWork{params.eventRecord.event});
  default:
    return cudaErrorNotSupported;
  }
}

} // namespace

cudaError_t gputest::cuda::add_node(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, std::size_t count,
                                    cudaGraphNodeType type, Work work) {
  if (!node || !is_live(graph) || (count > 0 && !dependencies))
    return cudaErrorInvalidValue;
  const std::vector<cudaGraphNode_t> before(dependencies, dependencies + count);
  if (std::ranges::any_of(before, [&](cudaGraphNode_t one) { return !graph->has(one); }))
    return cudaErrorInvalidValue;
  *node = &add_node(*graph, type, std::move(work), before);
  return cudaSuccess;
}

CUgraphNode_st* gputest::cuda::node_of(cudaGraphExec_t exec, cudaGraphNode_t node) {
  if (!is_live(exec))
    return nullptr;
  const auto found = exec->nodes.find(node);
  return found == exec->nodes.end() ? nullptr : found->second;
}

cudaError_t gputest::cuda::set_work(CUgraphNode_st* node, cudaGraphNodeType type, Work work) {
  const auto* const event = std::get_if<EventWork>(&work);
  if (!is_live(node) || node->type != type || (event && !is_live(event->event)))
    return cudaErrorInvalidValue;
  node->work = std::move(work);
  return cudaSuccess;
}

cudaMemcpy3DParms gputest::cuda::copy_of_bytes(void* to, const void* from, std::size_t bytes,
                                               cudaMemcpyKind kind) {
  cudaMemcpy3DParms p{};
  p.dstPtr = {to, bytes, bytes, 1};
  p.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  p.extent = {bytes, 1, 1};
  p.kind = kind;
  return p;
}

cudaError_t gputest::cuda::perform(State& state, cudaGraphNodeType type, const Work& work) {
  if (const auto* const kernel = std::get_if<std::shared_ptr<KernelWork>>(&work))
    return state.launch(*(*kernel)->kernel, (*kernel)->shape, (*kernel)->arguments);
  if (const auto* const params = std::get_if<cudaMemcpy3DParms>(&work))
    return copy(*params);
  if (const auto* const p = std::get_if<SymbolCopy>(&work))
    return p->to_symbol
               ? cudaMemcpyToSymbolAsync(p->symbol, p->other, p->bytes, p->offset, p->kind, nullptr)
               : cudaMemcpyFromSymbolAsync(p->other, p->symbol, p->bytes, p->offset, p->kind,
                                           nullptr);
  if (const auto* const params = std::get_if<cudaMemsetParams>(&work))
    return fill(state, *params);
  if (const auto* const host = std::get_if<cudaHostNodeParams>(&work)) {
    state.flush();
    let_host_know(state);
    host->fn(host->userData);
    return cudaSuccess;
  }
  if (const auto* const child = std::get_if<ChildGraph>(&work)) {
    const auto order = child->graph->ordered();
    for (const CUgraphNode_st* node : order.value_or(std::vector<CUgraphNode_st*>()))
      if (const cudaError_t error = perform(state, node->type, node->work))
        return error;
    return order ? cudaSuccess : cudaErrorInvalidValue;
  }
  if (const auto* const condition = std::get_if<std::shared_ptr<ConditionWork>>(&work))
    return perform_condition(state, **condition);
  if (const auto* const event = std::get_if<EventWork>(&work))
    return type == cudaGraphNodeTypeEventRecord ? cudaEventRecord(event->event, nullptr)
                                                : cudaSuccess;
  if (const auto* const memory = std::get_if<cudaMemAllocNodeParams>(&work)) {
    if (Order* const order = state.order())
      order->access(memory->dptr, memory->bytesize, true);
    return take_graph_memory(memory->dptr);
  }
  if (const auto* const memory = std::get_if<FreeWork>(&work)) {
    bool is_of_graph = false;
    if (const Allocation* const freed = state.heap.find(memory->memory); freed && state.order())
      state.order()->access(memory->memory, freed->size, true);
    const cudaError_t error = free_graph_memory(state, memory->memory, is_of_graph);
    return is_of_graph ? error : cudaFree(memory->memory);
  }
  if (const auto* const other = std::get_if<OtherWork>(&work))
    return other->run(state);
  if (const auto* const waiting = std::get_if<WaitingWork>(&work)) {
    std::size_t step = 0;
    if (const auto done = waiting->go_on(state, step))
      return *done;
    std::fprintf(stderr, "gputest-cuda: error: a conditional node of a graph waits for a value "
                         "that is not there yet; the simulator does what is in it at once\n");
    return cudaErrorNotSupported;
  }
  return cudaSuccess;
}

cudaError_t gputest::cuda::put_nodes(State& state, cudaStream_t stream,
                                     const std::vector<CUgraphNode_st*>& nodes, Clock& before) {
  Order* const order = state.order();
  std::map<cudaGraphNode_t, Clock> done;
  const Clock begin = before;
  for (const CUgraphNode_st* node : nodes) {
    Clock clock = begin;
    if (order)
      for (cudaGraphNode_t dependency : node->dependencies)
        join(clock, done[dependency]);
    const auto* const event = std::get_if<EventWork>(&node->work);
    if (event && node->type == cudaGraphNodeTypeWaitEvent)
      join(clock, event->event->done);
    cudaError_t error = cudaSuccess;
    if (const auto* const child = std::get_if<ChildGraph>(&node->work); child && node->enabled) {
      const auto inside = child->graph->ordered();
      error = inside ? put_nodes(state, stream, *inside, clock) : cudaErrorInvalidValue;
    } else if (node->enabled) {
      const OperationPtr operation =
          order ? order->put_after(place_of(stream), clock, what_of(node->type, node->work))
                : nullptr;
      if (operation)
        clock = operation->done;
      error = state.queue().put(state, stream, node->type, node->work, 0, operation);
    }
    if (error)
      return error;
    if (order) {
      join(before, clock);
      done[const_cast<cudaGraphNode_t>(node)] = std::move(clock);
    }
  }
  return cudaSuccess;
}

extern "C" {
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* params) {
  return call_with({params}, [&](State& state) {
    std::shared_ptr<KernelWork> work;
    if (const cudaError_t error = kernel_work(state, *params, {}, work))
      return error;
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeKernel, work);
  });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms params = copy_of_bytes(to, from, bytes, kind);
  return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &params);
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return call([&](State&) {
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
                    SymbolCopy{symbol, const_cast<void*>(from), bytes, offset, kind, true});
  });
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             void* to, const void* symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return call([&](State&) {
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
                    SymbolCopy{symbol, to, bytes, offset, kind, false});
  });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return call([&](State&) {
    if (!is_live(child))
      return cudaErrorInvalidValue;
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeGraph,
                    ChildGraph{std::make_shared<CUgraph_st>(*child)});
  });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return call([&](State&) {
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeEmpty, {});
  });
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* params) {
  return call_with({node, graph, params}, [&](State& state) {
    if (count > 0 && !dependencies)
      return cudaErrorInvalidValue;
    return add_allocation(state, *graph, *params, {dependencies, dependencies + count}, *node);
  });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* memory) {
  return call([&](State&) {
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeMemFree, FreeWork{memory});
  });
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, size_t count,
                             cudaGraphNodeParams* params) {
  if (!params)
    return State::get().report(cudaErrorInvalidValue);
  switch (params->type) {
  case cudaGraphNodeTypeKernel:
    return cudaGraphAddKernelNode(node, graph, dependencies, count, &params->kernel);
  case cudaGraphNodeTypeEmpty:
    return cudaGraphAddEmptyNode(node, graph, dependencies, count);
  case cudaGraphNodeTypeMemAlloc:
    return cudaGraphAddMemAllocNode(node, graph, dependencies, count, &params->alloc);
  case cudaGraphNodeTypeMemFree:
    return cudaGraphAddMemFreeNode(node, graph, dependencies, count, params->free.dptr);
  case cudaGraphNodeTypeConditional:
    return call([&](State&) {
      Work work;
      if (!is_live(graph))
        return cudaErrorInvalidValue;
      if (const cudaError_t error = condition_work(*graph, params->conditional, work))
        return error;
      return add_node(node, graph, dependencies, count, params->type, work);
    });
  default:
    return call([&](State& state) {
      if (const cudaError_t error = add_node(node, graph, dependencies, count, params->type, {}))
        return error;
      const cudaError_t error = set_any(state, *node, *params);
      if (error != cudaSuccess)
        graph->nodes.pop_back(); // which is this one
      return error;
    });
  }
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
  std::shared_ptr<KernelWork> work;
  const cudaError_t error = get(node, &work);
  if (work && params)
    *params = work->params;
  return work && !params ? State::get().report(cudaErrorInvalidValue) : error;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  return call_with({params}, [&](State& state) { return set_kernel(state, node, *params); });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
  return call_with({params},
                   [&](State& state) { return set_kernel(state, node_of(exec, node), *params); });
}
// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_PARAMETERS(kind, T)                                                                \
  cudaError_t cudaGraphAdd##kind##Node(cudaGraphNode_t* node, cudaGraph_t graph,                   \
                                       const cudaGraphNode_t* dependencies, size_t count,          \
                                       const T* params) {                                          \
    return call_with({params}, [&](State&) {                                                       \
      return add_node(node, graph, dependencies, count, cudaGraphNodeType##kind, *params);         \
    });                                                                                            \
  }                                                                                                \
  cudaError_t cudaGraph##kind##NodeGetParams(cudaGraphNode_t node, T* params) {                    \
    return get(node, params);                                                                      \
  }                                                                                                \
  cudaError_t cudaGraph##kind##NodeSetParams(cudaGraphNode_t node, const T* params) {              \
    return call_with({params},                                                                     \
                     [&](State&) { return set_work(node, cudaGraphNodeType##kind, *params); });    \
  }                                                                                                \
  cudaError_t cudaGraphExec##kind##NodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,       \
                                                 const T* params) {                                \
    return call_with({params}, [&](State&) {                                                       \
      return set_work(node_of(exec, node), cudaGraphNodeType##kind, *params);                      \
    });                                                                                            \
  }
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_PARAMETERS(Memcpy, cudaMemcpy3DParms)
GPUTEST_PARAMETERS(Memset, cudaMemsetParams)
GPUTEST_PARAMETERS(Host, cudaHostNodeParams)
#undef GPUTEST_PARAMETERS
#define GPUTEST_EVENTS(kind, type)                                                                 \
  cudaError_t cudaGraphAdd##kind##Node(cudaGraphNode_t* node, cudaGraph_t graph,                   \
                                       const cudaGraphNode_t* dependencies, size_t count,          \
                                       cudaEvent_t event) {                                        \
    return call_with({event}, [&](State&) {                                                        \
      return add_node(node, graph, dependencies, count, type, EventWork{event});                   \
    });                                                                                            \
  }                                                                                                \
  cudaError_t cudaGraph##kind##NodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {            \
    return get_event(node, event);                                                                 \
  }                                                                                                \
  cudaError_t cudaGraph##kind##NodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {             \
    return call([&](State&) { return set_work(node, type, EventWork{event}); });                   \
  }                                                                                                \
  cudaError_t cudaGraphExec##kind##NodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,        \
                                                cudaEvent_t event) {                               \
    return call([&](State&) { return set_work(node_of(exec, node), type, EventWork{event}); });    \
  }
GPUTEST_EVENTS(EventRecord, cudaGraphNodeTypeEventRecord)
GPUTEST_EVENTS(EventWait, cudaGraphNodeTypeWaitEvent)
#undef GPUTEST_EVENTS
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
  return call_with({params}, [&](State& state) { return set_any(state, node, *params); });
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* params) {
  return call_with({exec, params},
                   [&](State& state) { return set_any(state, node_of(exec, node), *params); });
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
  return get(node, params);
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* memory) {
  FreeWork work{};
  const cudaError_t error = get(node, memory ? &work : nullptr);
  if (memory)
    *static_cast<void**>(memory) = work.memory;
  return error;
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child) {
  ChildGraph work;
  const cudaError_t error = get(node, child ? &work : nullptr);
  if (child)
    *child = work.graph.get();
  return error;
}
}

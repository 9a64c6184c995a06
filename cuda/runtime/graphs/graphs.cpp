// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs as a whole: dependencies of nodes, and executable graphs.
#include "cuda/runtime/graphs.h"

#include "cuda/runtime/call.h"

#include <algorithm>
#include <fstream>
#include <tuple>

using namespace gputest::cuda;

struct CUuserObject_st {
  Live<CUuserObject_st> live{};
  void* pointer;
  cudaHostFn_t destroy;
  unsigned references;
};

namespace {

void release(cudaUserObject_t object, unsigned count) {
  object->references -= std::min(object->references, count);
  if (object->references == 0) {
    object->destroy(object->pointer);
    delete object;
  }
}

} // namespace

CUgraph_st::CUgraph_st(const CUgraph_st& other)
    : objects(other.objects), conditions(other.conditions) {
  for (cudaUserObject_t object : objects)
    ++object->references;
  std::map<cudaGraphNode_t, cudaGraphNode_t> clones;
  for (const CUgraphNode_st& node : other.nodes) {
    CUgraphNode_st& clone = nodes.emplace_back(node);
    clone.graph = this;
    clone.original = const_cast<cudaGraphNode_t>(&node);
    clones[clone.original] = &clone;
    clone.work = clone_of(node.work);
  }
  for (CUgraphNode_st& clone : nodes)
    for (cudaGraphNode_t& dependency : clone.dependencies)
      dependency = clones.at(dependency);
}

CUgraph_st::~CUgraph_st() {
  for (cudaUserObject_t object : objects)
    release(object, 1);
}

bool CUgraph_st::has(cudaGraphNode_t node) const {
  return std::ranges::any_of(nodes, [&](const CUgraphNode_st& one) { return &one == node; });
}

std::optional<std::vector<CUgraphNode_st*>> CUgraph_st::ordered() {
  std::vector<CUgraphNode_st*> order, left;
  for (CUgraphNode_st& node : nodes)
    left.push_back(&node);
  std::set<cudaGraphNode_t> done;
  while (!left.empty()) {
    const auto next = std::ranges::find_if(left, [&](const CUgraphNode_st* node) {
      return std::ranges::all_of(node->dependencies,
                                 [&](cudaGraphNode_t before) { return done.contains(before); });
    });
    if (next == left.end())
      return std::nullopt;
    order.push_back(*next);
    done.insert(*next);
    left.erase(next);
  }
  return order;
}

CUgraphNode_st& gputest::cuda::add_node(CUgraph_st& graph, cudaGraphNodeType type, Work work,
                                        std::vector<cudaGraphNode_t> dependencies) {
  return graph.nodes.emplace_back(CUgraphNode_st{.graph = &graph,
                                                 .type = type,
                                                 .work = std::move(work),
                                                 .dependencies = std::move(dependencies)});
}

namespace {

// Copies as many values as there is room for. Without an array, only returns their number.
template <typename... Arrays>
cudaError_t give(std::size_t* count, std::size_t there, const auto& value, Arrays*... arrays) {
  if (!count)
    return cudaErrorInvalidValue;
  if ((... || (arrays != nullptr))) {
    const std::size_t room = std::min(*count, there);
    for (std::size_t i = 0; i < room; ++i)
      value(i);
    *count = room;
  } else {
    *count = there;
  }
  return cudaSuccess;
}

cudaError_t give_nodes(const std::vector<cudaGraphNode_t>& there, cudaGraphNode_t* nodes,
                       std::size_t* count) {
  return give(count, there.size(), [&](std::size_t i) { nodes[i] = there[i]; }, nodes);
}

std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> edges_of(const CUgraph_st& graph) {
  std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> edges;
  for (const CUgraphNode_st& node : graph.nodes)
    for (cudaGraphNode_t before : node.dependencies)
      edges.emplace_back(before, const_cast<cudaGraphNode_t>(&node));
  return edges;
}

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  if (!exec || !is_live(graph))
    return cudaErrorInvalidValue;
  auto made = std::make_unique<CUgraphExec_st>();
  made->graph = std::make_unique<CUgraph_st>(*graph);
  made->flags = flags;
  std::optional<std::vector<CUgraphNode_st*>> order = made->graph->ordered();
  if (!order)
    return cudaErrorInvalidValue;
  made->order = std::move(*order);
  for (CUgraphNode_st& node : made->graph->nodes)
    made->nodes[node.original] = &node;
  *exec = made.release();
  return cudaSuccess;
}

// Copies the work of the nodes of `from` if both graphs have the same structure.
cudaGraphExecUpdateResult update(CUgraph_st& to, const CUgraph_st& from,
                                 cudaGraphNode_t& different) {
  if (to.nodes.size() != from.nodes.size())
    return cudaGraphExecUpdateErrorTopologyChanged;
  std::map<const CUgraphNode_st*, std::size_t> numbers;
  const auto number = [&](const CUgraph_st& graph) {
    std::size_t next = 0;
    for (const CUgraphNode_st& node : graph.nodes)
      numbers[&node] = next++;
  };
  number(to);
  number(from);
  auto own = to.nodes.begin();
  for (const CUgraphNode_st& node : from.nodes) {
    different = const_cast<cudaGraphNode_t>(&node);
    if (own->type != node.type)
      return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (!std::ranges::equal(
            own->dependencies, node.dependencies, {},
            [&](cudaGraphNode_t before) { return numbers[before]; },
            [&](cudaGraphNode_t before) { return numbers[before]; }))
      return cudaGraphExecUpdateErrorTopologyChanged;
    ++own;
  }
  own = to.nodes.begin();
  for (const CUgraphNode_st& node : from.nodes) {
    own->work = clone_of(node.work);
    own->attributes = node.attributes;
    ++own;
  }
  different = nullptr;
  return cudaGraphExecUpdateSuccess;
}

} // namespace

extern "C" {
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return call([&](State&) {
    if (!graph || flags != 0)
      return cudaErrorInvalidValue;
    *graph = new CUgraph_st;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call_with({graph}, [&](State&) {
    delete graph;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return call_with({clone, graph}, [&](State&) {
    *clone = new CUgraph_st(*graph);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return call_with({node, clone}, [&](State&) {
    for (CUgraphNode_st& one : clone->nodes)
      if (one.original == original) {
        *node = &one;
        return cudaSuccess;
      }
    return cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return call_with({node}, [&](State&) {
    CUgraph_st& graph = *node->graph;
    for (CUgraphNode_st& other : graph.nodes)
      std::erase(other.dependencies, node);
    graph.nodes.remove_if([&](const CUgraphNode_st& one) { return &one == node; });
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call_with({node, type}, [&](State&) {
    *type = node->type;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call_with({graph}, [&](State&) {
    std::vector<cudaGraphNode_t> all;
    for (CUgraphNode_st& node : graph->nodes)
      all.push_back(&node);
    return give_nodes(all, nodes, count);
  });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call_with({graph}, [&](State&) {
    std::vector<cudaGraphNode_t> roots;
    for (CUgraphNode_st& node : graph->nodes)
      if (node.dependencies.empty())
        roots.push_back(&node);
    return give_nodes(roots, nodes, count);
  });
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  return call_with({graph}, [&](State&) {
    if ((from == nullptr) != (to == nullptr))
      return cudaErrorInvalidValue;
    const auto edges = edges_of(*graph);
    return give(
        count, edges.size(), [&](std::size_t i) { std::tie(from[i], to[i]) = edges[i]; }, from, to);
  });
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         size_t* count) {
  return call_with({node}, [&](State&) { return give_nodes(node->dependencies, nodes, count); });
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           size_t* count) {
  return call_with({node}, [&](State&) {
    std::vector<cudaGraphNode_t> dependent;
    for (const auto& [from, to] : edges_of(*node->graph))
      if (from == node)
        dependent.push_back(to);
    return give_nodes(dependent, nodes, count);
  });
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return call_with({graph}, [&](State&) {
    if (count > 0 && (!from || !to))
      return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i)
      if (!graph->has(from[i]) || !graph->has(to[i]) || from[i] == to[i] ||
          std::ranges::find(to[i]->dependencies, from[i]) != to[i]->dependencies.end())
        return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i)
      to[i]->dependencies.push_back(from[i]);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  return call_with({graph}, [&](State&) {
    if (count > 0 && (!from || !to))
      return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i)
      if (!graph->has(to[i]) || std::erase(to[i]->dependencies, from[i]) == 0)
        return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
  return call_with({graph, path}, [&](State&) {
    static const char* const kNames[] = {
        "kernel",       "memcpy", "memset", "host",         "graph",       "empty", "event wait",
        "event record", "",       "",       "memory alloc", "memory free", "",      "conditional"};
    std::ofstream file(path);
    std::map<const CUgraphNode_st*, std::size_t> numbers;
    file << "digraph dot {\n";
    for (const CUgraphNode_st& node : graph->nodes) {
      const std::size_t number = numbers.size();
      numbers[&node] = number;
      file << "  n" << number << " [label=\"" << number << " " << kNames[node.type] << "\"];\n";
    }
    for (const auto& [from, to] : edges_of(*graph))
      file << "  n" << numbers[from] << " -> n" << numbers[to] << ";\n";
    file << "}\n";
    return file ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return call([&](State&) { return instantiate(exec, graph, flags); });
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
  if (!params)
    return State::get().report(cudaErrorInvalidValue);
  const cudaError_t error = cudaGraphInstantiate(exec, graph, params->flags);
  params->errNode_out = nullptr;
  params->result_out = error ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
  return error;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return call_with({exec, graph, info}, [&](State&) {
    info->errorFromNode = nullptr;
    info->errorNode = nullptr;
    info->result = update(*exec->graph, *graph, info->errorNode);
    return info->result == cudaGraphExecUpdateSuccess ? cudaSuccess
                                                      : cudaErrorGraphExecUpdateFailure;
  });
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  return call_with({exec, flags}, [&](State&) {
    *flags = exec->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return call_with({exec}, [&](State&) { return wrong_stream(stream); });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (!is_live(exec) || wrong_stream(stream))
    return State::get().report(is_live(exec) ? wrong_stream(stream) : cudaErrorInvalidValue);
  if (capture_of(stream)) // becomes a child of the captured graph
    return in_stream(stream, cudaGraphNodeTypeGraph,
                     Work(ChildGraph{std::make_shared<CUgraph_st>(*exec->graph)}));
  return call([&](State& state) {
    if (exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch)
      for (const CUgraphNode_st* node : exec->order)
        if (const auto* const memory = std::get_if<cudaMemAllocNodeParams>(&node->work)) {
          bool is_of_graph = false;
          free_graph_memory(state, memory->dptr, is_of_graph);
        }
    assign_conditions(state, *exec->graph);
    Order* const order = state.order();
    if (order && exec->order.size() > 1)
      order->will_be_concurrent();
    Clock clock = order ? order->operations().before_next(place_of(stream)) : Clock();
    const cudaError_t error = put_nodes(state, stream, exec->order, clock);
    if (order)
      order->operations().wait(place_of(stream), clock);
    return error;
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return call_with({exec}, [&](State&) {
    delete exec;
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int) {
  return call([&](State&) {
    if (!object || !destroy || references == 0)
      return cudaErrorInvalidValue;
    *object = new CUuserObject_st{.pointer = pointer, .destroy = destroy, .references = references};
    return cudaSuccess;
  });
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  return call_with({object}, [&](State&) {
    object->references += count;
    return cudaSuccess;
  });
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  return call_with({object}, [&](State&) {
    release(object, count);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned int count, unsigned int flags) {
  return call_with({graph, object}, [&](State&) {
    graph->objects.insert(graph->objects.end(), count, object);
    if (!(flags & cudaGraphUserObjectMove))
      object->references += count;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count) {
  return call_with({graph, object}, [&](State&) {
    for (; count > 0; --count) {
      const auto found = std::ranges::find(graph->objects, object);
      if (found == graph->objects.end())
        return cudaErrorInvalidValue;
      graph->objects.erase(found);
      release(object, 1);
    }
    return cudaSuccess;
  });
}
}

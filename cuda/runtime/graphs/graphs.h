// Graphs: what is captured or built node by node, and done later.
#pragma once

#include "cuda/runtime/state.h"

#include <functional>
#include <memory>
#include <optional>
#include <variant>

namespace gputest::cuda {

// A kernel with its arguments, checked.
struct KernelWork {
  cudaKernelNodeParams params{}; // kernelParams points to `values`
  KernelInfo* kernel = nullptr;
  LaunchShape shape;
  std::string arguments;
  std::vector<void*> values;
};

// A copy between symbols and memory, which cudaMemcpy3DParms does not say.
struct SymbolCopy {
  const void* symbol;
  void* other;
  std::size_t bytes, offset;
  cudaMemcpyKind kind;
  bool to_symbol;
};

struct ChildGraph {
  std::shared_ptr<CUgraph_st> graph;
};
struct ConditionWork {
  std::uint64_t handle = 0; // the address of a word of the device
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<CUgraph_st>> bodies{};
  std::vector<cudaGraph_t> graphs{}; // the same, as programs see them
};
struct EventWork {
  cudaEvent_t event;
};
struct FreeWork {
  void* memory;
};
struct OtherWork { // captured, and not described
  std::function<cudaError_t(State&)> run;
};

// Steps of which one may have to wait until others have written memory: of the driver API's batches
// of operations on words.
struct WaitingWork {
  // Does what can be done from that step on. Nothing: the step waits.
  std::function<std::optional<cudaError_t>(State&, std::size_t& step)> go_on;
  std::shared_ptr<const void> operations; // for those who ask
};

using Work =
    std::variant<std::monostate, std::shared_ptr<KernelWork>, cudaMemcpy3DParms, SymbolCopy,
                 cudaMemsetParams, cudaHostNodeParams, ChildGraph, std::shared_ptr<ConditionWork>,
                 EventWork, cudaMemAllocNodeParams, FreeWork, OtherWork, WaitingWork>;

// What a launch of the function is to do; or why not. `how`: what the parameters do not say.
cudaError_t kernel_work(State& state, const cudaKernelNodeParams& params, const LaunchShape& how,
                        std::shared_ptr<KernelWork>& work);

// The same with graphs of its own.
Work clone_of(const Work& work);

// The value of a handle, of one or more conditional nodes.
struct Condition {
  std::uint64_t handle = 0;
  unsigned value = 0;
  bool assigns = false; // `value` with each launch
};
void assign_conditions(State& state, const CUgraph_st& graph);
cudaError_t condition_work(const CUgraph_st& graph, cudaConditionalNodeParams& params, Work& work);
cudaError_t perform_condition(State& state, const ConditionWork& work);

// Does it now.
cudaError_t perform(State& state, cudaGraphNodeType type, const Work& work);

} // namespace gputest::cuda

struct CUgraphNode_st {
  cudaGraph_t graph = nullptr;
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  gputest::cuda::Work work{};
  std::vector<cudaGraphNode_t> dependencies{}; // of the same graph
  cudaGraphNode_t original = nullptr;          // of a clone: what it is a clone of
  bool enabled = true;
  std::map<int, cudaLaunchAttributeValue> attributes{};
};

struct CUgraph_st {
  std::list<CUgraphNode_st> nodes; // in order of creation
  std::vector<cudaUserObject_t> objects{};
  std::vector<gputest::cuda::Condition> conditions{};
  CUgraph_st() = default;
  CUgraph_st(const CUgraph_st& other); // a clone
  CUgraph_st& operator=(const CUgraph_st&) = delete;
  ~CUgraph_st();

  bool has(cudaGraphNode_t node) const;
  // Each node behind those that it depends on; nothing: there is a cycle.
  std::optional<std::vector<CUgraphNode_st*>> ordered();
};

struct CUgraphExec_st {
  std::unique_ptr<CUgraph_st> graph;
  std::vector<CUgraphNode_st*> order;
  std::map<cudaGraphNode_t, CUgraphNode_st*> nodes; // by that of the graph it was made of
  unsigned long long flags = 0;
};

namespace gputest::cuda {

// Adds a node that depends on those.
CUgraphNode_st& add_node(CUgraph_st& graph, cudaGraphNodeType type, Work work,
                         std::vector<cudaGraphNode_t> dependencies);

// The same for programs, which get the node; or why not.
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     std::size_t count, cudaGraphNodeType type, Work work);

// The copy of `node` in a graph that can be launched; null: it has none.
CUgraphNode_st* node_of(cudaGraphExec_t exec, cudaGraphNode_t node);

// What a node of that type does from now on.
cudaError_t set_work(CUgraphNode_st* node, cudaGraphNodeType type, Work work);

// The pool that has given the memory; null: none has.
cudaMemPool_t pool_of(void* memory);

// A copy of bytes that are one row.
cudaMemcpy3DParms copy_of_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);

// Memory of nodes that allocate: it keeps its address, and is there while nothing has freed it.
cudaError_t take_graph_memory(void* memory);
cudaError_t free_graph_memory(State& state, void* memory, bool& is_of_graph);
cudaError_t add_allocation(State& state, CUgraph_st& graph, cudaMemAllocNodeParams& params,
                           std::vector<cudaGraphNode_t> dependencies, CUgraphNode_st*& node);

} // namespace gputest::cuda

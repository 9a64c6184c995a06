// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs, whose nodes are captured or added one by one and run later.
#pragma once

#include "cuda/runtime/state.h"

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <thread>
#include <variant>

namespace gputest::cuda {

// A launch of a kernel with its arguments, already checked.
struct KernelWork {
  cudaKernelNodeParams params{}; // kernelParams points to `values`
  KernelInfo* kernel = nullptr;
  LaunchShape shape;
  std::string arguments;
  std::vector<void*> values;
};

// A copy between a symbol and memory, which cudaMemcpy3DParms cannot describe.
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
  std::uint64_t handle = 0; // the address of a word in device memory
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<CUgraph_st>> bodies{};
  std::vector<cudaGraph_t> graphs{}; // the same, as handles for programs
};
struct EventWork {
  cudaEvent_t event;
};
struct FreeWork {
  void* memory;
};
struct OtherWork { // captured work without a description
  std::function<cudaError_t(State&)> run;
  std::string name{}; // for messages: "cublasSgemm()"; empty: what its type says
};

// A batch of the driver API's operations on words of memory. A step may have to wait until memory
// is written.
struct WaitingWork {
  // Runs steps from `step` on. Returns nullopt if a step has to wait; `step` is then its number.
  std::function<std::optional<cudaError_t>(State&, std::size_t& step)> go_on;
  std::shared_ptr<const void> operations; // for functions that return a node's parameters
};

using Work =
    std::variant<std::monostate, std::shared_ptr<KernelWork>, cudaMemcpy3DParms, SymbolCopy,
                 cudaMemsetParams, cudaHostNodeParams, ChildGraph, std::shared_ptr<ConditionWork>,
                 EventWork, cudaMemAllocNodeParams, FreeWork, OtherWork, WaitingWork>;

// Checks a launch and makes `work`. `how`: what the parameters do not say. Returns the error that a
// launch would return.
cudaError_t kernel_work(State& state, const cudaKernelNodeParams& params, const LaunchShape& how,
                        std::shared_ptr<KernelWork>& work);

// Returns a copy with clones of the child graphs.
Work clone_of(const Work& work);

// A handle of conditional nodes, and its default value.
struct Condition {
  std::uint64_t handle = 0;
  unsigned value = 0;
  bool assigns = false; // each launch of the graph sets the handle to `value`
};
// Sets all handles of the graph that have `assigns`.
void assign_conditions(State& state, const CUgraph_st& graph);
// Makes the work of a conditional node and its empty body graphs.
cudaError_t condition_work(const CUgraph_st& graph, cudaConditionalNodeParams& params, Work& work);
// Runs the bodies as the handle's value says.
cudaError_t perform_condition(State& state, const ConditionWork& work);

// Puts the nodes of a graph into a stream, each after its dependencies and `before`, a Clock
// (order/operations.h). Returns in `before` what is done when all of them are.
cudaError_t put_nodes(State& state, cudaStream_t stream, const std::vector<CUgraphNode_st*>& nodes,
                      std::vector<std::uint64_t>& before);

// Does the work now.
cudaError_t perform(State& state, cudaGraphNodeType type, const Work& work);

} // namespace gputest::cuda

struct CUgraphNode_st {
  gputest::cuda::Live<CUgraphNode_st> live{};
  cudaGraph_t graph = nullptr;
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  gputest::cuda::Work work{};
  std::vector<cudaGraphNode_t> dependencies{}; // nodes of the same graph
  cudaGraphNode_t original = nullptr;          // the node that this is a clone of; or null
  bool enabled = true;
  std::map<int, cudaLaunchAttributeValue> attributes{};
};

struct CUgraph_st {
  gputest::cuda::Live<CUgraph_st> live{};
  std::list<CUgraphNode_st> nodes; // in the order of creation
  std::vector<cudaUserObject_t> objects{};
  std::vector<gputest::cuda::Condition> conditions{};
  bool is_invalid_capture = false; // a call has failed that the capture forbids
  cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
  std::thread::id capturing_thread{};
  CUgraph_st() = default;
  CUgraph_st(const CUgraph_st& other); // a clone
  CUgraph_st& operator=(const CUgraph_st&) = delete;
  ~CUgraph_st();

  bool has(cudaGraphNode_t node) const;
  // Returns the nodes, each after those on which it depends; nullopt: there is a cycle.
  std::optional<std::vector<CUgraphNode_st*>> ordered();
};

struct CUgraphExec_st {
  gputest::cuda::Live<CUgraphExec_st> live{};
  std::unique_ptr<CUgraph_st> graph;
  std::vector<CUgraphNode_st*> order;
  std::map<cudaGraphNode_t, CUgraphNode_st*> nodes; // by node of the original graph
  unsigned long long flags = 0;
};

namespace gputest::cuda {

// Adds a node with these dependencies.
CUgraphNode_st& add_node(CUgraph_st& graph, cudaGraphNodeType type, Work work,
                         std::vector<cudaGraphNode_t> dependencies);

// The same with a program's parameters, which are checked. Returns an error for invalid ones.
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     std::size_t count, cudaGraphNodeType type, Work work);

// Returns the copy of `node` in an executable graph; null: there is none.
CUgraphNode_st* node_of(cudaGraphExec_t exec, cudaGraphNode_t node);

// Replaces the work of a node. Returns an error unless the node has this type.
cudaError_t set_work(CUgraphNode_st* node, cudaGraphNodeType type, Work work);

// Returns the pool that the memory was allocated from; null: none.
cudaMemPool_t pool_of(void* memory);

// Returns a copy of one row of bytes.
cudaMemcpy3DParms copy_of_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);

// Memory of allocation nodes. Its address is fixed when the node is added; the memory exists from a
// launch of the node until it is freed.
cudaError_t take_graph_memory(void* memory);
cudaError_t free_graph_memory(State& state, void* memory, bool& is_of_graph);
cudaError_t add_allocation(State& state, CUgraph_st& graph, cudaMemAllocNodeParams& params,
                           std::vector<cudaGraphNode_t> dependencies, CUgraphNode_st*& node);

// All streams that the program has created. The caller holds the state's lock.
std::list<cudaStream_t>& created_streams();

// Whether a capture goes on. Events may outlive the capture in which they were recorded.
bool goes_on(const CUgraph_st* capture);

// What a call waits for, or changes. The programming guide lists such calls under "Prohibited and
// Unhandled Operations".
enum class Unsafe {
  LegacyStream, // waits for the captured work of streams that are not cudaStreamNonBlocking
  Device,       // waits for all streams
  OtherStream,  // waits for work that is not captured: captures of mode relaxed allow it
  Memory,       // allocates or frees, which may wait: the same
};

// Makes the captures that forbid it invalid, and sets the thread's last error, which is returned:
// as an H200 with CUDA 13 has them. cudaSuccess: no capture forbids it.
cudaError_t end_captures_by(Unsafe use);

// Does the same for a call that puts work into the stream: that of the legacy default stream waits
// for captured streams.
cudaError_t end_captures_by_use_of(cudaStream_t stream);

// Does the same for a call that waits for the stream's, or the event's, work.
cudaError_t end_captures_by_waiting(cudaStream_t stream);
cudaError_t end_captures_by_waiting(const CUevent_st& event);

} // namespace gputest::cuda

// Functions for nodes of any type, whose parameters name the type. They call the functions of that
// type.
#include "cuda/driver/driver.h"

using namespace gputest::cuda;

namespace {

const CUDA_MEMSET_NODE_PARAMS* memset_of(const CUgraphNodeParams& params) {
  static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS_v2) ==
                sizeof(CUDA_MEMSET_NODE_PARAMS) + sizeof(CUcontext)); // which comes last
  return reinterpret_cast<const CUDA_MEMSET_NODE_PARAMS*>(&params.memset);
}

// A conditional node gets its graphs.
CUresult add_conditional(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                         std::size_t count, CUDA_CONDITIONAL_NODE_PARAMS& conditional) {
  return driver_call([&] {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional = {.handle = conditional.handle,
                          .type = static_cast<cudaGraphConditionalNodeType>(conditional.type),
                          .size = conditional.size,
                          .phGraph_out = nullptr};
    const cudaError_t error = cudaGraphAddNode(node, graph, dependencies, count, &params);
    conditional.phGraph_out = params.conditional.phGraph_out;
    return error;
  });
}

} // namespace

extern "C" {
CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                        size_t count, CUgraphNodeParams* params) {
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  switch (params->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return cuGraphAddKernelNode(node, graph, dependencies, count, &params->kernel);
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    return cuGraphAddMemcpyNode(node, graph, dependencies, count, &params->memcpy.copyParams,
                                nullptr);
  case CU_GRAPH_NODE_TYPE_MEMSET:
    return cuGraphAddMemsetNode(node, graph, dependencies, count, memset_of(*params), nullptr);
  case CU_GRAPH_NODE_TYPE_HOST:
    return cuGraphAddHostNode(node, graph, dependencies, count, &params->host);
  case CU_GRAPH_NODE_TYPE_GRAPH:
    return cuGraphAddChildGraphNode(node, graph, dependencies, count, params->graph.graph);
  case CU_GRAPH_NODE_TYPE_EMPTY:
    return cuGraphAddEmptyNode(node, graph, dependencies, count);
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    return cuGraphAddEventWaitNode(node, graph, dependencies, count, params->eventWait.event);
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    return cuGraphAddEventRecordNode(node, graph, dependencies, count, params->eventRecord.event);
  case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    return cuGraphAddMemAllocNode(node, graph, dependencies, count, &params->alloc);
  case CU_GRAPH_NODE_TYPE_MEM_FREE:
    return cuGraphAddMemFreeNode(node, graph, dependencies, count, params->free.dptr);
  case CU_GRAPH_NODE_TYPE_CONDITIONAL:
    return add_conditional(node, graph, dependencies, count, params->conditional);
  case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
    return cuGraphAddBatchMemOpNode(node, graph, dependencies, count, &params->memOp);
  }
  return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* params) {
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  switch (params->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return cuGraphKernelNodeSetParams(node, &params->kernel);
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    return cuGraphMemcpyNodeSetParams(node, &params->memcpy.copyParams);
  case CU_GRAPH_NODE_TYPE_MEMSET:
    return cuGraphMemsetNodeSetParams(node, memset_of(*params));
  case CU_GRAPH_NODE_TYPE_HOST:
    return cuGraphHostNodeSetParams(node, &params->host);
  case CU_GRAPH_NODE_TYPE_GRAPH:
    return driver_call([&] {
      cudaGraphNodeParams same{};
      same.type = cudaGraphNodeTypeGraph;
      same.graph.graph = params->graph.graph;
      return same.graph.graph ? cudaGraphNodeSetParams(node, &same) : cudaErrorInvalidValue;
    });
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    return cuGraphEventWaitNodeSetEvent(node, params->eventWait.event);
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    return cuGraphEventRecordNodeSetEvent(node, params->eventRecord.event);
  case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
    return cuGraphBatchMemOpNodeSetParams(node, &params->memOp);
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}
CUresult cuGraphExecNodeSetParams(CUgraphExec graph, CUgraphNode node, CUgraphNodeParams* params) {
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  switch (params->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return cuGraphExecKernelNodeSetParams(graph, node, &params->kernel);
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    return cuGraphExecMemcpyNodeSetParams(graph, node, &params->memcpy.copyParams, nullptr);
  case CU_GRAPH_NODE_TYPE_MEMSET:
    return cuGraphExecMemsetNodeSetParams(graph, node, memset_of(*params), nullptr);
  case CU_GRAPH_NODE_TYPE_HOST:
    return cuGraphExecHostNodeSetParams(graph, node, &params->host);
  case CU_GRAPH_NODE_TYPE_GRAPH:
    return cuGraphExecChildGraphNodeSetParams(graph, node, params->graph.graph);
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    return cuGraphExecEventWaitNodeSetEvent(graph, node, params->eventWait.event);
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    return cuGraphExecEventRecordNodeSetEvent(graph, node, params->eventRecord.event);
  case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
    return cuGraphExecBatchMemOpNodeSetParams(graph, node, &params->memOp);
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that change the work of one type of node, and attributes of nodes.
#include "cuda/runtime/call.h"

using namespace gputest::cuda;

namespace {

cudaError_t set_symbol(State& state, CUgraphNode_st* node, const SymbolCopy& copy) {
  const VariableInfo* const variable = state.variable(copy.symbol);
  if (!variable)
    return cudaErrorInvalidSymbol;
  if (!copy.other || copy.offset > variable->size || copy.bytes > variable->size - copy.offset)
    return cudaErrorInvalidValue;
  return set_work(node, cudaGraphNodeTypeMemcpy, copy);
}

} // namespace

extern "C" {
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms params = copy_of_bytes(to, from, bytes, kind);
  return cudaGraphMemcpyNodeSetParams(node, &params);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  const cudaMemcpy3DParms params = copy_of_bytes(to, from, bytes, kind);
  return cudaGraphExecMemcpyNodeSetParams(exec, node, &params);
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = child;
  return cudaGraphExecNodeSetParams(exec, node, &params);
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return call([&](State& state) {
    return set_symbol(state, node, {symbol, const_cast<void*>(from), bytes, offset, kind, true});
  });
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return call([&](State& state) {
    return set_symbol(state, node, {symbol, to, bytes, offset, kind, false});
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from,
                                                     size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return call([&](State& state) {
    return set_symbol(state, node_of(exec, node),
                      {symbol, const_cast<void*>(from), bytes, offset, kind, true});
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* to, const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return call([&](State& state) {
    return set_symbol(state, node_of(exec, node), {symbol, to, bytes, offset, kind, false});
  });
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
  return call([&](State& state) {
    const auto* const kernel =
        is_live(node) && value ? std::get_if<std::shared_ptr<KernelWork>>(&node->work) : nullptr;
    if (!kernel)
      return cudaErrorInvalidValue;
    node->attributes[attribute] = *value;
    std::shared_ptr<KernelWork> work;
    const auto before = *kernel;
    LaunchShape how = before->shape;
    if (attribute == cudaLaunchAttributeCooperative)
      how.cooperative = value->cooperative != 0;
    else if (attribute == cudaLaunchAttributeClusterDimension)
      how.cluster = {value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
    else
      return cudaSuccess;
    if (const cudaError_t error = kernel_work(state, before->params, how, work))
      return error;
    node->work = work;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
  return call_with({value}, [&](State&) {
    if (!is_live(node) || node->type != cudaGraphNodeTypeKernel)
      return cudaErrorInvalidValue;
    *value = node->attributes[attribute];
    return cudaSuccess;
  });
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return call_with({to, from}, [&](State&) {
    to->attributes = from->attributes;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int is) {
  return call_with({exec}, [&](State&) {
    CUgraphNode_st* const own = node_of(exec, node);
    if (!own)
      return cudaErrorInvalidValue;
    own->enabled = is != 0;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int* is) {
  return call_with({exec, is}, [&](State&) {
    const CUgraphNode_st* const own = node_of(exec, node);
    if (!own)
      return cudaErrorInvalidValue;
    *is = own->enabled;
    return cudaSuccess;
  });
}
}

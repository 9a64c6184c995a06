// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of CUDA's runtime API. cuda_runtime_api.h includes this header.
#ifndef GPUTEST_CUDA_GRAPHS_H
#define GPUTEST_CUDA_GRAPHS_H

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t clone);

// Nodes.
#define GPUTEST_ADD(kind, ...)                                                                     \
  cudaError_t cudaGraphAdd##kind(cudaGraphNode_t* node, cudaGraph_t graph,                         \
                                 const cudaGraphNode_t* dependencies, size_t count, __VA_ARGS__);
GPUTEST_ADD(KernelNode, const struct cudaKernelNodeParams* params)
GPUTEST_ADD(MemcpyNode, const struct cudaMemcpy3DParms* params)
GPUTEST_ADD(MemcpyNode1D, void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind)
GPUTEST_ADD(MemcpyNodeToSymbol, const void* symbol, const void* from, size_t bytes, size_t offset,
            enum cudaMemcpyKind kind)
GPUTEST_ADD(MemcpyNodeFromSymbol, void* to, const void* symbol, size_t bytes, size_t offset,
            enum cudaMemcpyKind kind)
GPUTEST_ADD(MemsetNode, const struct cudaMemsetParams* params)
GPUTEST_ADD(HostNode, const struct cudaHostNodeParams* params)
GPUTEST_ADD(ChildGraphNode, cudaGraph_t child)
GPUTEST_ADD(EventRecordNode, cudaEvent_t event)
GPUTEST_ADD(EventWaitNode, cudaEvent_t event)
GPUTEST_ADD(MemAllocNode, struct cudaMemAllocNodeParams* params)
GPUTEST_ADD(MemFreeNode, void* memory)
GPUTEST_ADD(Node, struct cudaGraphNodeParams* params)
#undef GPUTEST_ADD
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);

// Parameters of nodes. Functions for executable graphs take the node of the original graph.
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams* params);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams* params);
#define GPUTEST_PARAMETERS(kind, T)                                                                \
  cudaError_t cudaGraph##kind##NodeGetParams(cudaGraphNode_t node, T* params);                     \
  cudaError_t cudaGraph##kind##NodeSetParams(cudaGraphNode_t node, const T* params);               \
  cudaError_t cudaGraphExec##kind##NodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,       \
                                                 const T* params);
GPUTEST_PARAMETERS(Kernel, struct cudaKernelNodeParams)
GPUTEST_PARAMETERS(Memcpy, struct cudaMemcpy3DParms)
GPUTEST_PARAMETERS(Memset, struct cudaMemsetParams)
GPUTEST_PARAMETERS(Host, struct cudaHostNodeParams)
#undef GPUTEST_PARAMETERS
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from,
                                                     size_t bytes, size_t offset,
                                                     enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* to, const void* symbol, size_t bytes,
                                                       size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           struct cudaMemAllocNodeParams* params);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* memory);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int is);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int* is);

// Nodes and edges. If an array is null, only the count is returned.
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType* type);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           size_t* count);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int value,
                                             unsigned int flags);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int flags);

// Executable graphs.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags GPUTEST_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);

// Memory that graphs allocate, and objects that they keep.
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void* value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void* value);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count GPUTEST_DEFAULT(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count GPUTEST_DEFAULT(1));
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned int count GPUTEST_DEFAULT(1),
                                      unsigned int flags GPUTEST_DEFAULT(0));
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count GPUTEST_DEFAULT(1));

#ifdef __cplusplus
}

inline cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle,
                                                    cudaGraph_t graph, unsigned int value = 0) {
  return cudaGraphConditionalHandleCreate(handle, graph, value, 0);
}

// For objects made by `new`.
template <typename T>
inline cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, T* pointer,
                                        unsigned int references, unsigned int flags) {
  return cudaUserObjectCreate(
      object, pointer, [](void* made) { delete static_cast<T*>(made); }, references, flags);
}
template <typename T>
inline cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, T* pointer,
                                        unsigned int references, cudaUserObjectFlags flags) {
  return cudaUserObjectCreate(object, pointer, references, static_cast<unsigned int>(flags));
}

// Forms of calls in CUDA 10 to 13: with a node and a text for errors, or with data of edges.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t*,
                                        char*, size_t) {
  return cudaGraphInstantiate(exec, graph, 0ULL);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph) {
  return cudaGraphInstantiate(exec, graph, 0ULL);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphNode_t* node,
                                       enum cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info;
  const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
  if (node)
    *node = info.errorNode;
  if (result)
    *result = info.result;
  return error;
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                                    size_t count, cudaGraphNodeParams* params) {
  return cudaGraphAddNode(node, graph, dependencies, count, params);
}
#define GPUTEST_OF_EDGES(name)                                                                     \
  inline cudaError_t name(cudaGraph_t graph, const cudaGraphNode_t* from,                          \
                          const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count) {     \
    return name(graph, from, to, count);                                                           \
  }
GPUTEST_OF_EDGES(cudaGraphAddDependencies)
GPUTEST_OF_EDGES(cudaGraphRemoveDependencies)
#undef GPUTEST_OF_EDGES
namespace gputest_cuda_details {
inline void no_edge_data(cudaGraphEdgeData* data, size_t count) {
  for (size_t i = 0; data && i < count; ++i)
    data[i] = {};
}
} // namespace gputest_cuda_details
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     cudaGraphEdgeData* data, size_t* count) {
  const cudaError_t error = cudaGraphGetEdges(graph, from, to, count);
  gputest_cuda_details::no_edge_data(data, *count);
  return error;
}
#define GPUTEST_OF_EDGES(name)                                                                     \
  inline cudaError_t name(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data,   \
                          size_t* count) {                                                         \
    const cudaError_t error = name(node, nodes, count);                                            \
    gputest_cuda_details::no_edge_data(data, *count);                                              \
    return error;                                                                                  \
  }
GPUTEST_OF_EDGES(cudaGraphNodeGetDependencies)
GPUTEST_OF_EDGES(cudaGraphNodeGetDependentNodes)
#undef GPUTEST_OF_EDGES
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long* id, cudaGraph_t* graph,
                                            const cudaGraphNode_t** dependencies,
                                            const cudaGraphEdgeData** data, size_t* count) {
  if (data)
    *data = nullptr; // edges have no data
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                       cudaGraphNode_t* dependencies,
                                                       const cudaGraphEdgeData*, size_t count,
                                                       unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}
#define cudaStreamGetCaptureInfo_v3 cudaStreamGetCaptureInfo
#define cudaStreamUpdateCaptureDependencies_v2 cudaStreamUpdateCaptureDependencies

// Symbols as variables. The parameters before those of the copy are given with and without types.
#define GPUTEST_PARTS(...) __VA_ARGS__
#define GPUTEST_OF_SYMBOLS(name, parameters, names)                                                \
  template <typename T>                                                                            \
  inline cudaError_t name##ToSymbol(GPUTEST_PARTS parameters, const T& symbol, const void* from,   \
                                    size_t bytes, size_t offset, cudaMemcpyKind kind) {            \
    return name##ToSymbol(GPUTEST_PARTS names, static_cast<const void*>(&symbol), from, bytes,     \
                          offset, kind);                                                           \
  }                                                                                                \
  template <typename T>                                                                            \
  inline cudaError_t name##FromSymbol(GPUTEST_PARTS parameters, void* to, const T& symbol,         \
                                      size_t bytes, size_t offset, cudaMemcpyKind kind) {          \
    return name##FromSymbol(GPUTEST_PARTS names, to, static_cast<const void*>(&symbol), bytes,     \
                            offset, kind);                                                         \
  }
GPUTEST_OF_SYMBOLS(cudaGraphAddMemcpyNode,
                   (cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                    size_t count),
                   (node, graph, dependencies, count))
GPUTEST_OF_SYMBOLS(cudaGraphMemcpyNodeSetParams, (cudaGraphNode_t node), (node))
GPUTEST_OF_SYMBOLS(cudaGraphExecMemcpyNodeSetParams, (cudaGraphExec_t exec, cudaGraphNode_t node),
                   (exec, node))
#undef GPUTEST_OF_SYMBOLS
#undef GPUTEST_PARTS
#endif

#endif

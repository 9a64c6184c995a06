// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of graphs and memory pools: functions of the driver API that differ from the runtime API's.
#include "cuda/libcuda/libcuda.h"
#include "cuda/runtime/arrays.h"

using namespace gputest::cuda;

namespace {

// Calls `what` with the runtime API's parameters, in which arguments are separate.
template <typename What>
CUresult with_kernel(const CUDA_KERNEL_NODE_PARAMS* p, What&& what,
                     const char* caller = __builtin_FUNCTION()) {
  return driver_call(
      [&] {
        if (!p)
          return cudaErrorInvalidValue;
        const CUfunction function = p->func ? p->func : p->kern;
        const KernelInfo* const kernel = State::get().kernel(function);
        if (!kernel)
          return cudaErrorInvalidDeviceFunction;
        std::vector<void*> unpacked;
        if (p->extra)
          if (const cudaError_t error = unpack(*kernel, p->extra, unpacked))
            return error;
        const cudaKernelNodeParams params{.func = function,
                                          .gridDim = {p->gridDimX, p->gridDimY, p->gridDimZ},
                                          .blockDim = {p->blockDimX, p->blockDimY, p->blockDimZ},
                                          .sharedMemBytes = p->sharedMemBytes,
                                          .kernelParams =
                                              p->extra ? unpacked.data() : p->kernelParams,
                                          .extra = nullptr};
        return what(params);
      },
      caller);
}

template <typename What>
CUresult with_copy(const CUDA_MEMCPY3D* p, What&& what, const char* caller = __builtin_FUNCTION()) {
  return driver_call(
      [&] {
        cudaMemcpy3DParms params{};
        if (!p)
          return cudaErrorInvalidValue;
        if (const cudaError_t error = parameters_of(*p, params))
          return error;
        return what(params);
      },
      caller);
}

// The same of a node whose type the parameters say. But for kernels and copies, both APIs have the
// same members.
template <typename What>
CUresult with_any(const CUgraphNodeParams* p, What&& what,
                  const char* caller = __builtin_FUNCTION()) {
  cudaGraphNodeParams params{};
  static_assert(sizeof params == sizeof *p);
  if (p)
    std::memcpy(static_cast<void*>(&params), p, sizeof params);
  if (p && p->type == CU_GRAPH_NODE_TYPE_KERNEL)
    return with_kernel(
        &p->kernel,
        [&](const cudaKernelNodeParams& kernel) {
          params.kernel = kernel;
          return what(params);
        },
        caller);
  if (p && p->type == CU_GRAPH_NODE_TYPE_MEMCPY)
    return with_copy(
        &p->memcpy.copyParams,
        [&](const cudaMemcpy3DParms& copy) {
          params.memcpy.copyParams = copy;
          return what(params);
        },
        caller);
  return driver_call([&] { return p ? what(params) : cudaErrorInvalidValue; }, caller);
}

template <typename To, typename From, typename What>
CUresult with(const From* from, What&& what, const char* caller = __builtin_FUNCTION()) {
  return driver_call(
      [&] {
        if (!from)
          return cudaErrorInvalidValue;
        To to = as<To>(*from);
        return what(to);
      },
      caller);
}

template <typename Of, typename To, typename What>
CUresult get(To* to, What&& what, const char* caller = __builtin_FUNCTION()) {
  return driver_call(
      [&] {
        Of params{};
        const cudaError_t error = what(&params);
        if (!error && to)
          *to = as<To>(params);
        return to ? error : cudaErrorInvalidValue;
      },
      caller);
}

// Whether the memory is the device's alone is asked of the pointer.
CUmemorytype type_of(const void* array, const void* pointer) {
  return array                             ? CU_MEMORYTYPE_ARRAY
         : State::get().heap.find(pointer) ? CU_MEMORYTYPE_DEVICE
                                           : CU_MEMORYTYPE_HOST;
}

CUDA_MEMCPY3D driver_parameters_of(const cudaMemcpy3DParms& p) {
  const std::size_t unit = unit_of_copy(p.srcArray, p.dstArray);
  CUDA_MEMCPY3D to{};
  to.srcXInBytes = p.srcPos.x * unit;
  to.srcY = p.srcPos.y;
  to.srcZ = p.srcPos.z;
  to.srcMemoryType = type_of(p.srcArray, p.srcPtr.ptr);
  to.srcHost = p.srcPtr.ptr;
  to.srcDevice = reinterpret_cast<CUdeviceptr>(p.srcPtr.ptr);
  to.srcArray = p.srcArray;
  to.srcPitch = p.srcPtr.pitch;
  to.srcHeight = p.srcPtr.ysize;
  to.dstXInBytes = p.dstPos.x * unit;
  to.dstY = p.dstPos.y;
  to.dstZ = p.dstPos.z;
  to.dstMemoryType = type_of(p.dstArray, p.dstPtr.ptr);
  to.dstHost = p.dstPtr.ptr;
  to.dstDevice = reinterpret_cast<CUdeviceptr>(p.dstPtr.ptr);
  to.dstArray = p.dstArray;
  to.dstPitch = p.dstPtr.pitch;
  to.dstHeight = p.dstPtr.ysize;
  to.WidthInBytes = p.extent.width * unit;
  to.Height = p.extent.height;
  to.Depth = p.extent.depth;
  return to;
}

} // namespace

extern "C" {
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* params) {
  return driver_call([&] {
    cudaMemcpy3DParms of{};
    const cudaError_t error =
        params ? cudaGraphMemcpyNodeGetParams(node, &of) : cudaErrorInvalidValue;
    if (!error)
      *params = driver_parameters_of(of);
    return error;
  });
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* params) {
  return get<cudaMemAllocNodeParams>(
      params, [&](cudaMemAllocNodeParams* p) { return cudaGraphMemAllocNodeGetParams(node, p); });
}
CUresult cuGraphInstantiateWithParams(CUgraphExec* made, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* params) {
  return with<cudaGraphInstantiateParams>(params, [&](cudaGraphInstantiateParams& p) {
    const cudaError_t error = cudaGraphInstantiateWithParams(made, graph, &p);
    *params = as<CUDA_GRAPH_INSTANTIATE_PARAMS>(p);
    return error;
  });
}
CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS* params) {
  return with_kernel(params, [&](const cudaKernelNodeParams& p) {
    return cudaGraphAddKernelNode(node, graph, dependencies, count, &p);
  });
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* params) {
  return with_kernel(params, [&](const cudaKernelNodeParams& p) {
    return cudaGraphKernelNodeSetParams(node, &p);
  });
}
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec graph, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* params) {
  return with_kernel(params, [&](const cudaKernelNodeParams& p) {
    return cudaGraphExecKernelNodeSetParams(graph, node, &p);
  });
}
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* params) {
  return driver_call([&] {
    cudaKernelNodeParams p{};
    const cudaError_t error =
        params ? cudaGraphKernelNodeGetParams(node, &p) : cudaErrorInvalidValue;
    if (!error)
      *params = {.func = static_cast<CUfunction>(p.func),
                 .gridDimX = p.gridDim.x,
                 .gridDimY = p.gridDim.y,
                 .gridDimZ = p.gridDim.z,
                 .blockDimX = p.blockDim.x,
                 .blockDimY = p.blockDim.y,
                 .blockDimZ = p.blockDim.z,
                 .sharedMemBytes = p.sharedMemBytes,
                 .kernelParams = p.kernelParams,
                 .extra = nullptr,
                 .kern = nullptr,
                 .ctx = nullptr};
    return error;
  });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMCPY3D* params, CUcontext) {
  return with_copy(params, [&](const cudaMemcpy3DParms& p) {
    return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &p);
  });
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* params) {
  return with_copy(
      params, [&](const cudaMemcpy3DParms& p) { return cudaGraphMemcpyNodeSetParams(node, &p); });
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec graph, CUgraphNode node,
                                        const CUDA_MEMCPY3D* params, CUcontext) {
  return with_copy(params, [&](const cudaMemcpy3DParms& p) {
    return cudaGraphExecMemcpyNodeSetParams(graph, node, &p);
  });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS* params, CUcontext) {
  return with<cudaMemsetParams>(params, [&](const cudaMemsetParams& p) {
    return cudaGraphAddMemsetNode(node, graph, dependencies, count, &p);
  });
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* params) {
  return with<cudaMemsetParams>(
      params, [&](const cudaMemsetParams& p) { return cudaGraphMemsetNodeSetParams(node, &p); });
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec graph, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* params, CUcontext) {
  return with<cudaMemsetParams>(params, [&](const cudaMemsetParams& p) {
    return cudaGraphExecMemsetNodeSetParams(graph, node, &p);
  });
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* params) {
  return get<cudaMemsetParams>(
      params, [&](cudaMemsetParams* p) { return cudaGraphMemsetNodeGetParams(node, p); });
}

CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                            size_t count, const CUDA_HOST_NODE_PARAMS* params) {
  return with<cudaHostNodeParams>(params, [&](const cudaHostNodeParams& p) {
    return cudaGraphAddHostNode(node, graph, dependencies, count, &p);
  });
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* params) {
  return with<cudaHostNodeParams>(
      params, [&](const cudaHostNodeParams& p) { return cudaGraphHostNodeSetParams(node, &p); });
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec graph, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* params) {
  return with<cudaHostNodeParams>(params, [&](const cudaHostNodeParams& p) {
    return cudaGraphExecHostNodeSetParams(graph, node, &p);
  });
}
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* params) {
  return get<cudaHostNodeParams>(
      params, [&](cudaHostNodeParams* p) { return cudaGraphHostNodeGetParams(node, p); });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* params) {
  return with<cudaMemAllocNodeParams>(params, [&](cudaMemAllocNodeParams& p) {
    const cudaError_t error = cudaGraphAddMemAllocNode(node, graph, dependencies, count, &p);
    params->dptr = reinterpret_cast<CUdeviceptr>(p.dptr);
    return error;
  });
}
CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                        size_t count, CUgraphNodeParams* params) {
  if (params && params->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
    return cuGraphAddBatchMemOpNode(node, graph, dependencies, count, &params->memOp);
  return with_any(params, [&](cudaGraphNodeParams& p) {
    const cudaError_t error = cudaGraphAddNode(node, graph, dependencies, count, &p);
    if (p.type == cudaGraphNodeTypeMemAlloc)
      params->alloc.dptr = reinterpret_cast<CUdeviceptr>(p.alloc.dptr);
    else if (p.type == cudaGraphNodeTypeConditional)
      params->conditional.phGraph_out = p.conditional.phGraph_out;
    return error;
  });
}
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* params) {
  if (params && params->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
    return cuGraphBatchMemOpNodeSetParams(node, &params->memOp);
  return with_any(params, [&](cudaGraphNodeParams& p) { return cudaGraphNodeSetParams(node, &p); });
}
CUresult cuGraphExecNodeSetParams(CUgraphExec graph, CUgraphNode node, CUgraphNodeParams* params) {
  if (params && params->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
    return cuGraphExecBatchMemOpNodeSetParams(graph, node, &params->memOp);
  return with_any(
      params, [&](cudaGraphNodeParams& p) { return cudaGraphExecNodeSetParams(graph, node, &p); });
}
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return get<cudaGraphNodeType>(
      type, [&](cudaGraphNodeType* of) { return cudaGraphNodeGetType(node, of); });
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* props) {
  return with<cudaMemPoolProps>(
      props, [&](const cudaMemPoolProps& p) { return cudaMemPoolCreate(pool, &p); });
}
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of CUDA's driver API that the simulator has (docs/cuda.md). Everything declared here
// works. A program that uses anything else does not compile, so the error names what is missing.
// Names and numbers are those of the published API.
#ifndef GPUTEST_CUDA_DRIVER_H
#define GPUTEST_CUDA_DRIVER_H
#define __cuda_cuda_h__ // programs ask whether it was included

#include "cuda_runtime_api.h"
#define CUDAAPI
#define CUDA_CB

#include <stdint.h>

typedef enum cudaError_enum {
#define GPUTEST_CUDA_DRIVER_ERRORS
#define GPUTEST_CUDA_ERROR(name, driver, number, text) driver = number,
#include "gputest_cuda/errors.def"
  CUDA_ERROR_API_FAILURE_BASE = 10000
} CUresult;

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUmod_st *CUlibrary;
typedef struct CUfunc_st *CUfunction;
typedef struct CUfunc_st *CUkernel;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaGraph_t CUgraph;
typedef cudaGraphExec_t CUgraphExec;
typedef cudaGraphNode_t CUgraphNode;
typedef cudaUserObject_t CUuserObject;
typedef cudaGraphEdgeData CUgraphEdgeData;
typedef cudaMemPool_t CUmemoryPool;
typedef cudaIpcMemHandle_t CUipcMemHandle;
typedef cudaIpcEventHandle_t CUipcEventHandle;
typedef cudaArray_t CUarray;
typedef cudaMipmappedArray_t CUmipmappedArray;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
typedef void (*CUhostFn)(void *data);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef size_t (*CUoccupancyB2DSize)(int blockSize);

#include "gputest_cuda/driver_structures.h"
#include "gputest_cuda/resources.h"

#ifdef __cplusplus
extern "C" {
#endif
#define GPUTEST_CUDA_FUNCTION(symbol, name, version, context, parameters, ...) CUresult symbol parameters;
#include "gputest_cuda/driver_calls.def"
#ifdef __cplusplus
}
// CUDA 13 adds a parameter for data of edges.
#define GPUTEST_OF_EDGES(name)                                                                             \
  inline CUresult name(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *, \
                       size_t count) {                                                                     \
    return name(graph, from, to, count);                                                                   \
  }
GPUTEST_OF_EDGES(cuGraphAddDependencies)
GPUTEST_OF_EDGES(cuGraphRemoveDependencies)
#undef GPUTEST_OF_EDGES
inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data,
                                size_t *count) {
  const CUresult error = cuGraphGetEdges(graph, from, to, count);
  gputest_cuda_details::no_edge_data(data, *count);
  return error;
}
inline CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data,
                                           size_t *count) {
  const CUresult error = cuGraphNodeGetDependencies(node, nodes, count);
  gputest_cuda_details::no_edge_data(data, *count);
  return error;
}
inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data,
                                             size_t *count) {
  const CUresult error = cuGraphNodeGetDependentNodes(node, nodes, count);
  gputest_cuda_details::no_edge_data(data, *count);
  return error;
}
inline CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *,
                               size_t count, CUgraphNodeParams *params) {
  return cuGraphAddNode(node, graph, dependencies, count, params);
}
inline CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *,
                                                  size_t count, unsigned int flags) {
  return cuStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}
inline CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                          const CUgraphNode **dependencies, const CUgraphEdgeData **data, size_t *count) {
  if (data)
    *data = nullptr; // edges have no data
  return cuStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}
inline CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t size, CUmemLocation location, unsigned int flags, CUstream stream) {
  return cuMemPrefetchAsync_v2(pointer, size, location, flags, stream);
}
inline CUresult cuMemAdvise(CUdeviceptr pointer, size_t size, CUmem_advise advice, CUmemLocation location) {
  return cuMemAdvise_v2(pointer, size, advice, location);
}
// The declarations of CUDA 12.8.
inline CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count,
                                      CUmemcpyAttributes *attributes, size_t *starts, size_t attributeCount, size_t *failed,
                                      CUstream stream) {
  const CUresult error = cuMemcpyBatchAsync_v2(to, from, sizes, count, attributes, starts, attributeCount, stream);
  if (failed && error != CUDA_SUCCESS)
    *failed = SIZE_MAX; // which operation failed is not known
  return error;
}
inline CUresult cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP *operations, size_t *failed,
                                        unsigned long long flags, CUstream stream) {
  const CUresult error = cuMemcpy3DBatchAsync_v2(count, operations, flags, stream);
  if (failed && error != CUDA_SUCCESS)
    *failed = SIZE_MAX;
  return error;
}
// The declaration of CUDA 11.
inline CUresult cuGraphInstantiateWithFlags(CUgraphExec *made, CUgraph graph, CUgraphNode *, char *, size_t) {
  return cuGraphInstantiateWithFlags(made, graph, 0ULL);
}
// The declaration of CUDA 13.
inline CUresult cuCtxCreate_v2(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device) {
  return cuCtxCreate_v4(context, params, flags, device);
}
#endif

// Programs use the names without the version with which libcuda exports them.
#define cuGetProcAddress cuGetProcAddress_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuCtxCreate cuCtxCreate_v2
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuMemcpy2D cuMemcpy2D_v2
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuMemcpyHtoA cuMemcpyHtoA_v2
#define cuMemcpyHtoAAsync cuMemcpyHtoAAsync_v2
#define cuMemcpyAtoH cuMemcpyAtoH_v2
#define cuMemcpyAtoHAsync cuMemcpyAtoHAsync_v2
#define cuMemcpyDtoA cuMemcpyDtoA_v2
#define cuMemcpyAtoD cuMemcpyAtoD_v2
#define cuMemcpyAtoA cuMemcpyAtoA_v2
#define cuMemcpyBatchAsync cuMemcpyBatchAsync_v2
#define cuMemcpy3DBatchAsync cuMemcpy3DBatchAsync_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuMemsetD16 cuMemsetD16_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuMemsetD2D8 cuMemsetD2D8_v2
#define cuMemsetD2D16 cuMemsetD2D16_v2
#define cuMemsetD2D32 cuMemsetD2D32_v2
#define cuArrayCreate cuArrayCreate_v2
#define cuArray3DCreate cuArray3DCreate_v2
#define cuArrayGetDescriptor cuArrayGetDescriptor_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuStreamBeginCapture cuStreamBeginCapture_v2
#define cuStreamWaitValue32 cuStreamWaitValue32_v2
#define cuStreamWaitValue64 cuStreamWaitValue64_v2
#define cuStreamWriteValue32 cuStreamWriteValue32_v2
#define cuStreamWriteValue64 cuStreamWriteValue64_v2
#define cuStreamBatchMemOp cuStreamBatchMemOp_v2
#define cuStreamUpdateCaptureDependencies_v2 cuStreamUpdateCaptureDependencies
#define cuEventDestroy cuEventDestroy_v2
#define cuGraphInstantiate cuGraphInstantiateWithFlags
#define cuGraphAddKernelNode cuGraphAddKernelNode_v2
#define cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
#define cuGraphKernelNodeSetParams cuGraphKernelNodeSetParams_v2
#define cuGraphExecKernelNodeSetParams cuGraphExecKernelNodeSetParams_v2
#define cuGraphExecUpdate cuGraphExecUpdate_v2
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2
#define cuStreamGetCaptureInfo_v3 cuStreamGetCaptureInfo_v2
#define cuGraphAddDependencies_v2 cuGraphAddDependencies
#define cuGraphRemoveDependencies_v2 cuGraphRemoveDependencies
#define cuGraphGetEdges_v2 cuGraphGetEdges
#define cuGraphNodeGetDependencies_v2 cuGraphNodeGetDependencies
#define cuGraphNodeGetDependentNodes_v2 cuGraphNodeGetDependentNodes
#define cuGraphAddNode_v2 cuGraphAddNode

#endif

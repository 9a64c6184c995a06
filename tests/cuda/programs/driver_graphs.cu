// Link: -lcuda -lnvrtc
// Graphs by the driver API, libraries of the runtime API, copies in batches.
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <fstream>
#define NVRTC_GET_TYPE_NAME 1
#include <nvrtc.h>
#include <string>

__global__ void add(int* data, int what) {
  data[threadIdx.x] += what;
}

static void CUDART_CB count(void* data) {
  ++*static_cast<int*>(data);
}

static void graphs() {
  CUfunction function;
  EXPECT(cudaGetFuncBySymbol((cudaFunction_t*)&function, (const void*)add) == cudaSuccess);
  CUdeviceptr data;
  int host[32], got[32] = {}, called = 0, what = 5;
  for (int i = 0; i < 32; ++i)
    host[i] = i;
  EXPECT(cuMemAlloc(&data, sizeof host) == CUDA_SUCCESS);
  CUgraph graph;
  CUgraphNode set, copied, kernel, back, called_node, empty;
  EXPECT(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  CUDA_MEMSET_NODE_PARAMS memset_params = {};
  memset_params.dst = data, memset_params.elementSize = 4, memset_params.value = 7, memset_params.width = 32, memset_params.height = 1;
  EXPECT(cuGraphAddMemsetNode(&set, graph, nullptr, 0, &memset_params, nullptr) == CUDA_SUCCESS);
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = host, copy.dstMemoryType = CU_MEMORYTYPE_DEVICE, copy.dstDevice = data;
  copy.WidthInBytes = 16 * sizeof(int), copy.Height = copy.Depth = 1;
  EXPECT(cuGraphAddMemcpyNode(&copied, graph, &set, 1, &copy, nullptr) == CUDA_SUCCESS);
  void* arguments[] = {&data, &what};
  CUDA_KERNEL_NODE_PARAMS params = {};
  params.func = function, params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = 32, params.blockDimY = params.blockDimZ = 1, params.kernelParams = arguments;
  EXPECT(cuGraphAddKernelNode(&kernel, graph, &copied, 1, &params) == CUDA_SUCCESS);
  params.blockDimX = 2000;
  EXPECT(cuGraphAddKernelNode(&empty, graph, nullptr, 0, &params) == CUDA_ERROR_INVALID_VALUE);
  params.blockDimX = 32;
  CUDA_MEMCPY3D copy_back = {};
  copy_back.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy_back.srcDevice = data, copy_back.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy_back.dstHost = got, copy_back.WidthInBytes = sizeof got, copy_back.Height = copy_back.Depth = 1;
  EXPECT(cuGraphAddMemcpyNode(&back, graph, &kernel, 1, &copy_back, nullptr) == CUDA_SUCCESS);
  CUDA_HOST_NODE_PARAMS host_params = {count, &called};
  EXPECT(cuGraphAddHostNode(&called_node, graph, &back, 1, &host_params) == CUDA_SUCCESS);
  EXPECT(cuGraphAddEmptyNode(&empty, graph, nullptr, 0) == CUDA_SUCCESS);
  EXPECT(cuGraphAddDependencies(graph, &empty, &set, nullptr, 1) == CUDA_SUCCESS); // as CUDA 13 has it
  CUgraphNode from[8], to[8];
  CUgraphEdgeData data_of_edges[8];
  std::size_t edges = 8;
  EXPECT(cuGraphGetEdges(graph, from, to, data_of_edges, &edges) == CUDA_SUCCESS && edges == 5);
  std::size_t nodes = 0, roots = 0;
  EXPECT(cuGraphGetNodes(graph, nullptr, &nodes) == CUDA_SUCCESS && nodes == 6);
  EXPECT(cuGraphGetRootNodes(graph, nullptr, &roots) == CUDA_SUCCESS && roots == 1);
  CUgraphNodeType type;
  EXPECT(cuGraphNodeGetType(kernel, &type) == CUDA_SUCCESS && type == CU_GRAPH_NODE_TYPE_KERNEL);
  CUDA_KERNEL_NODE_PARAMS now;
  EXPECT(cuGraphKernelNodeGetParams(kernel, &now) == CUDA_SUCCESS && now.func == function && now.blockDimX == 32);
  EXPECT(cuGraphKernelNodeGetParams(set, &now) == CUDA_ERROR_INVALID_VALUE);
  CUgraphExec exec;
  EXPECT(cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS && cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS);
  EXPECT(got[0] == 5 && got[15] == 20 && got[16] == 12 && called == 1);
  // Packed arguments, and another value, in what can be launched alone.
  struct {
    CUdeviceptr data;
    int what;
  } packed = {data, 100};
  std::size_t size = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  params.kernelParams = nullptr, params.extra = extra;
  EXPECT(cuGraphExecKernelNodeSetParams(exec, kernel, &params) == CUDA_SUCCESS);
  memset_params.value = 1;
  EXPECT(cuGraphExecMemsetNodeSetParams(exec, set, &memset_params, nullptr) == CUDA_SUCCESS);
  EXPECT(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS && got[15] == 115 && got[31] == 101 && called == 2);
  CUgraphExecUpdateResultInfo info;
  EXPECT(cuGraphExecUpdate(exec, graph, &info) == CUDA_SUCCESS && info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
  EXPECT(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS && got[31] == 12);

  CUgraph clone, child;
  CUgraphNode of_clone, with_child, allocation, freed;
  EXPECT(cuGraphClone(&clone, graph) == CUDA_SUCCESS && cuGraphNodeFindInClone(&of_clone, kernel, clone) == CUDA_SUCCESS);
  EXPECT(cuGraphCreate(&child, 0) == CUDA_SUCCESS && cuGraphAddChildGraphNode(&with_child, child, nullptr, 0, graph) == CUDA_SUCCESS);
  CUDA_MEM_ALLOC_NODE_PARAMS alloc_params = {};
  alloc_params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  alloc_params.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  alloc_params.bytesize = 1024;
  EXPECT(cuGraphAddMemAllocNode(&allocation, child, &with_child, 1, &alloc_params) == CUDA_SUCCESS && alloc_params.dptr != 0);
  EXPECT(cuGraphAddMemFreeNode(&freed, child, &allocation, 1, alloc_params.dptr) == CUDA_SUCCESS);
  CUgraphExec whole;
  EXPECT(cuGraphInstantiate(&whole, child, 0) == CUDA_SUCCESS && cuGraphLaunch(whole, nullptr) == CUDA_SUCCESS && called == 4);
  EXPECT(cuGraphDestroyNode(empty) == CUDA_SUCCESS && cuGraphGetNodes(graph, nullptr, &nodes) == CUDA_SUCCESS && nodes == 5);
  for (const CUgraph one : {graph, clone, child})
    EXPECT(cuGraphDestroy(one) == CUDA_SUCCESS);
  EXPECT(cuGraphExecDestroy(exec) == CUDA_SUCCESS && cuGraphExecDestroy(whole) == CUDA_SUCCESS && cuMemFree(data) == CUDA_SUCCESS);
}

__global__ void count_down(int* data, cudaGraphConditionalHandle handle) {
  *data += 1;
  cudaGraphSetConditional(handle, *data < 5);
}

// A copy into an array, of whose row in linear memory it takes the third number and those behind it.
static void copy_into_array() {
  const CUDA_ARRAY3D_DESCRIPTOR row{.Width = 8, .Height = 0, .Depth = 0, .Format = CU_AD_FORMAT_SIGNED_INT32, .NumChannels = 1, .Flags = 0};
  CUarray array;
  CUdeviceptr data;
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec exec;
  const int numbers[] = {1, 2, 3, 4, 5, 6};
  int got[2] = {};
  EXPECT(cuArray3DCreate(&array, &row) == CUDA_SUCCESS && cuMemAlloc(&data, sizeof numbers) == CUDA_SUCCESS);
  EXPECT(cuMemcpyHtoD(data, numbers, sizeof numbers) == CUDA_SUCCESS && cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  CUDA_MEMCPY3D copy = {}, same = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy.srcDevice = data, copy.srcXInBytes = 8, copy.srcPitch = sizeof numbers;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array, copy.dstXInBytes = 4;
  copy.WidthInBytes = 8, copy.Height = copy.Depth = 1;
  EXPECT(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, nullptr) == CUDA_SUCCESS);
  EXPECT(cuGraphMemcpyNodeGetParams(node, &same) == CUDA_SUCCESS && same.srcDevice == data && same.srcXInBytes == 8);
  EXPECT(same.dstArray == array && same.dstXInBytes == 4 && same.WidthInBytes == 8);
  EXPECT(cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS && cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS);
  EXPECT(cuMemcpyAtoH(got, array, 4, sizeof got) == CUDA_SUCCESS && got[0] == 3 && got[1] == 4);
  EXPECT(cuGraphExecDestroy(exec) == CUDA_SUCCESS && cuGraphDestroy(graph) == CUDA_SUCCESS);
  EXPECT(cuArrayDestroy(array) == CUDA_SUCCESS && cuMemFree(data) == CUDA_SUCCESS);
}

// Nodes whose type the parameters say, a loop, and what nodes do from now on.
static void any_node() {
  CUgraph graph, child;
  CUgraphNode node, set, copied, events[2], children, freed, loop;
  CUgraphExec exec;
  CUevent event, other;
  CUdeviceptr data;
  int got[2] = {}, called = 0, one = 1;
  EXPECT(cuGraphCreate(&graph, 0) == CUDA_SUCCESS && cuGraphCreate(&child, 0) == CUDA_SUCCESS && cuMemAlloc(&data, 8) == CUDA_SUCCESS);
  EXPECT(cuEventCreate(&event, 0) == CUDA_SUCCESS && cuEventCreate(&other, 0) == CUDA_SUCCESS);
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEMSET;
  params.memset.dst = data, params.memset.elementSize = 4, params.memset.width = 2, params.memset.height = 1, params.memset.value = 2;
  EXPECT(cuGraphAddNode(&set, graph, nullptr, 0, &params) == CUDA_SUCCESS);
  CUfunction function;
  EXPECT(cudaGetFuncBySymbol((cudaFunction_t*)&function, (const void*)add) == cudaSuccess);
  void* arguments[] = {&data, &one};
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_KERNEL;
  params.kernel.func = function, params.kernel.gridDimX = params.kernel.gridDimY = params.kernel.gridDimZ = 1;
  params.kernel.blockDimX = 2, params.kernel.blockDimY = params.kernel.blockDimZ = 1, params.kernel.kernelParams = arguments;
  EXPECT(cuGraphAddNode(&node, graph, &set, 1, &params) == CUDA_SUCCESS);
  CUkernelNodeAttrValue attribute = {};
  attribute.priority = -2;
  EXPECT(cuGraphKernelNodeSetAttribute(node, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &attribute) == CUDA_SUCCESS);
  attribute.priority = 0;
  EXPECT(cuGraphKernelNodeGetAttribute(node, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &attribute) == CUDA_SUCCESS && attribute.priority == -2);
  EXPECT(cuGraphKernelNodeGetAttribute(set, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &attribute) == CUDA_ERROR_INVALID_VALUE);
  CUgraphConditionalHandle handle;
  EXPECT(cuGraphConditionalHandleCreate(&handle, graph, nullptr, 1, CU_GRAPH_COND_ASSIGN_DEFAULT) == CUDA_SUCCESS);
  EXPECT(cuGraphConditionalHandleCreate(&handle, graph, nullptr, 1, 9) == CUDA_ERROR_INVALID_VALUE);
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  params.conditional.handle = handle, params.conditional.type = CU_GRAPH_COND_TYPE_WHILE, params.conditional.size = 1;
  EXPECT(cuGraphAddNode(&loop, graph, &node, 1, &params) == CUDA_SUCCESS && params.conditional.phGraph_out);
  cudaKernelNodeParams body = {};
  void* of_body[] = {&data, &handle};
  body.func = (void*)count_down, body.gridDim = body.blockDim = dim3(1), body.kernelParams = of_body;
  EXPECT(cudaGraphAddKernelNode(&node, params.conditional.phGraph_out[0], nullptr, 0, &body) == cudaSuccess);
  params.conditional.size = 3;
  EXPECT(cuGraphAddNode(&node, graph, nullptr, 0, &params) == CUDA_ERROR_INVALID_VALUE);
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  params.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE, params.memcpy.copyParams.srcDevice = data;
  params.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_HOST, params.memcpy.copyParams.dstHost = got;
  params.memcpy.copyParams.WidthInBytes = 8, params.memcpy.copyParams.Height = params.memcpy.copyParams.Depth = 1;
  EXPECT(cuGraphAddNode(&copied, graph, &loop, 1, &params) == CUDA_SUCCESS);
  CUDA_MEMCPY3D copy;
  EXPECT(cuGraphMemcpyNodeGetParams(copied, &copy) == CUDA_SUCCESS && copy.srcDevice == data && copy.dstHost == got && copy.WidthInBytes == 8 &&
         copy.dstMemoryType == CU_MEMORYTYPE_HOST);
  EXPECT(cuGraphMemcpyNodeGetParams(set, &copy) == CUDA_ERROR_INVALID_VALUE);
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_HOST;
  params.host = {count, &called};
  EXPECT(cuGraphAddNode(&node, child, nullptr, 0, &params) == CUDA_SUCCESS);
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_GRAPH;
  params.graph.graph = child;
  EXPECT(cuGraphAddNode(&children, graph, nullptr, 0, &params) == CUDA_SUCCESS);
  params.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
  params.eventRecord.event = event;
  EXPECT(cuGraphAddNode(&events[0], graph, nullptr, 0, &params) == CUDA_SUCCESS);
  params.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT;
  EXPECT(cuGraphAddNode(&events[1], graph, &events[0], nullptr, 1, &params) == CUDA_SUCCESS); // with data of edges
  CUevent now = nullptr;
  EXPECT(cuGraphEventRecordNodeSetEvent(events[0], other) == CUDA_SUCCESS && cuGraphEventRecordNodeGetEvent(events[0], &now) == CUDA_SUCCESS && now == other);
  EXPECT(cuGraphEventWaitNodeSetEvent(events[1], other) == CUDA_SUCCESS && cuGraphEventWaitNodeGetEvent(events[1], &now) == CUDA_SUCCESS && now == other);
  EXPECT(cuGraphEventRecordNodeSetEvent(events[1], other) == CUDA_ERROR_INVALID_VALUE);
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  params.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.alloc.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  params.alloc.bytesize = 64;
  EXPECT(cuGraphAddNode(&node, graph, nullptr, 0, &params) == CUDA_SUCCESS && params.alloc.dptr);
  CUDA_MEM_ALLOC_NODE_PARAMS allocated;
  const CUdeviceptr memory = params.alloc.dptr;
  CUdeviceptr freed_memory = 0;
  EXPECT(cuGraphMemAllocNodeGetParams(node, &allocated) == CUDA_SUCCESS && allocated.dptr == memory && allocated.bytesize == 64);
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
  params.free.dptr = memory;
  EXPECT(cuGraphAddNode(&freed, graph, &node, 1, &params) == CUDA_SUCCESS && cuGraphMemFreeNodeGetParams(freed, &freed_memory) == CUDA_SUCCESS && freed_memory == memory);
  params.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  params.memOp.paramArray = nullptr;
  EXPECT(cuGraphAddNode(&node, graph, nullptr, 0, &params) == CUDA_ERROR_INVALID_VALUE);
  CUDA_GRAPH_INSTANTIATE_PARAMS how = {};
  how.flags = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
  cuuint64_t flags = 0;
  EXPECT(cuGraphInstantiateWithParams(&exec, graph, &how) == CUDA_SUCCESS && how.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS);
  EXPECT(cuGraphInstantiateWithParams(&exec, nullptr, &how) == CUDA_ERROR_INVALID_VALUE && how.result_out == CUDA_GRAPH_INSTANTIATE_ERROR);
  EXPECT(cuGraphExecGetFlags(exec, &flags) == CUDA_SUCCESS && flags == CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
  EXPECT(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS && got[0] == 5 && got[1] == 3 && called == 1); // 2 + 1, and on to 5
  params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEMSET;
  params.memset.dst = data, params.memset.elementSize = 4, params.memset.width = 2, params.memset.height = 1, params.memset.value = 7;
  EXPECT(cuGraphExecNodeSetParams(exec, set, &params) == CUDA_SUCCESS && cuGraphExecNodeSetParams(exec, copied, &params) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuGraphExecEventRecordNodeSetEvent(exec, events[0], event) == CUDA_SUCCESS && cuGraphExecEventWaitNodeSetEvent(exec, events[1], event) == CUDA_SUCCESS);
  EXPECT(cuGraphExecChildGraphNodeSetParams(exec, children, child) == CUDA_SUCCESS);
  EXPECT(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS && got[0] == 9 && got[1] == 8 && called == 2); // 8, and once more
  EXPECT(cuGraphNodeSetParams(set, &params) == CUDA_SUCCESS && cuGraphNodeSetParams(node, nullptr) == CUDA_ERROR_INVALID_VALUE);
  cuuint64_t in_use = 0;
  EXPECT(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &in_use) == CUDA_SUCCESS);
  EXPECT(cuDeviceGetGraphMemAttribute(4, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &in_use) == CUDA_ERROR_INVALID_DEVICE);
  EXPECT(cuGraphExecDestroy(exec) == CUDA_SUCCESS && cuGraphDestroy(graph) == CUDA_SUCCESS && cuGraphDestroy(child) == CUDA_SUCCESS);
}

static std::string compiled() {
  const char* const source = "__device__ int base = 40;\n"
                             "extern \"C\" __global__ void fill(int* p) { p[threadIdx.x] = base + threadIdx.x; }\n";
  nvrtcProgram program;
  std::size_t size = 0;
  EXPECT(nvrtcCreateProgram(&program, source, "fill.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  EXPECT(nvrtcAddNameExpression(program, "&base") == NVRTC_SUCCESS);
  EXPECT(nvrtcGetLTOIRSize(program, &size) == NVRTC_ERROR_INVALID_PROGRAM); // is not compiled yet
  EXPECT(nvrtcCompileProgram(program, 0, nullptr) == NVRTC_SUCCESS);
  size = 9;
  char none = 0;
  EXPECT(nvrtcGetLTOIRSize(program, &size) == NVRTC_SUCCESS && size == 0 && nvrtcGetLTOIR(program, &none) == NVRTC_SUCCESS);
  EXPECT(nvrtcGetOptiXIRSize(program, nullptr) == NVRTC_ERROR_INVALID_INPUT && nvrtcGetOptiXIR(program, &none) == NVRTC_SUCCESS);
  EXPECT(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS);
  std::string name;
  EXPECT((nvrtcGetTypeName<const std::pair<int, float>&>(&name) == NVRTC_SUCCESS && name == "std::pair<int, float> const&"));
  EXPECT(nvrtcGetTypeName(typeid(unsigned), &name) == NVRTC_SUCCESS && name == "unsigned int");
  std::string text(size, '\0');
  EXPECT(nvrtcGetPTX(program, text.data()) == NVRTC_SUCCESS && nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  return text;
}

static void libraries(const std::string& file) {
  const std::string image = compiled();
  cudaLibrary_t library, other;
  cudaKernel_t kernel, all[2] = {}, own;
  unsigned kernels = 0;
  EXPECT(cudaLibraryLoadData(&library, image.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaSuccess);
  EXPECT(cudaLibraryGetKernel(&kernel, library, "fill") == cudaSuccess);
  EXPECT(cudaLibraryGetKernel(&kernel, library, "nothing") == cudaErrorSymbolNotFound);
  EXPECT(cudaLibraryGetKernelCount(&kernels, library) == cudaSuccess && kernels == 1);
  EXPECT(cudaLibraryEnumerateKernels(all, 2, library) == cudaSuccess && all[0] == kernel && !all[1]);
  EXPECT(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 0) == cudaSuccess);
  EXPECT(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 1) == cudaErrorInvalidDevice);
  int *data = nullptr, *base = nullptr, value = 0;
  std::size_t bytes = 0;
  EXPECT(cudaMallocManaged(&data, 128) == cudaSuccess);
  EXPECT(cudaLibraryGetGlobal((void**)&base, &bytes, library, "base") == cudaSuccess && bytes == sizeof(int));
  EXPECT(cudaLibraryGetManaged((void**)&base, &bytes, library, "base") == cudaErrorSymbolNotFound);
  EXPECT(cudaMemcpy(&value, base, sizeof value, cudaMemcpyDefault) == cudaSuccess && value == 40);
  void* arguments[] = {&data};
  EXPECT(cudaLaunchKernel((void*)kernel, dim3(1), dim3(32), arguments, 0, 0) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && data[31] == 71);
  EXPECT(cudaGetKernel(&own, (const void*)add) == cudaSuccess);
  int what = 1;
  void* of_add[] = {&data, &what};
  EXPECT(cudaLaunchKernel((void*)own, dim3(1), dim3(32), of_add, 0, 0) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && data[31] == 72);
  std::ofstream(file, std::ios::binary) << image.c_str();
  EXPECT(cudaLibraryLoadFromFile(&other, file.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaSuccess && other != library);
  EXPECT(cudaLibraryLoadFromFile(&other, "none.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaErrorFileNotFound);
  EXPECT(cudaLibraryUnload(library) == cudaSuccess && cudaLibraryUnload(library) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

// What a module has, and launches as they were before CUDA 4.
static void modules() {
  const std::string image = compiled();
  CUmodule module, same;
  CUlibrary library, of_kernel;
  CUfunction function, all[2] = {};
  CUkernel kernel, kernels[2] = {};
  CUmoduleLoadingMode mode;
  CUfunctionLoadingState state;
  EXPECT(cuModuleLoadData(&module, image.c_str()) == CUDA_SUCCESS && cuModuleGetFunction(&function, module, "fill") == CUDA_SUCCESS);
  EXPECT(cuModuleEnumerateFunctions(all, 2, module) == CUDA_SUCCESS && all[0] == function && !all[1]);
  EXPECT(cuModuleEnumerateFunctions(nullptr, 2, module) == CUDA_ERROR_INVALID_VALUE && cuModuleGetLoadingMode(&mode) == CUDA_SUCCESS && mode == CU_MODULE_LAZY_LOADING);
  EXPECT(cuFuncLoad(function) == CUDA_SUCCESS && cuFuncIsLoaded(&state, function) == CUDA_SUCCESS && state == CU_FUNCTION_LOADING_STATE_LOADED);
  EXPECT(cuFuncIsLoaded(&state, nullptr) == CUDA_ERROR_INVALID_HANDLE && cuFuncGetModule(&same, function) == CUDA_SUCCESS && same == module);
  EXPECT(cuFuncSetSharedMemConfig(function, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE) == CUDA_SUCCESS);
  EXPECT(cuLibraryLoadData(&library, image.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) == CUDA_SUCCESS && cuLibraryGetKernel(&kernel, library, "fill") == CUDA_SUCCESS);
  EXPECT(cuLibraryEnumerateKernels(kernels, 2, library) == CUDA_SUCCESS && kernels[0] == kernel && cuKernelGetLibrary(&of_kernel, kernel) == CUDA_SUCCESS && of_kernel == library);
  CUdeviceptr data;
  std::size_t bytes = 0, offset = 9, size = 0;
  EXPECT(cuLibraryGetManaged(&data, &bytes, library, "base") == CUDA_ERROR_NOT_FOUND && cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0) == CUDA_SUCCESS);
  EXPECT(cuKernelGetParamInfo(kernel, 0, &offset, &size) == CUDA_SUCCESS && offset == 0 && size == 8 && cuKernelGetParamInfo(kernel, 1, &offset, &size) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cudaFuncGetParamInfo(add, 1, &offset, &size) == cudaSuccess && offset == 8 && size == 4);
  EXPECT(cudaFuncGetParamInfo((const void*)&data, 0, &offset, &size) == cudaErrorInvalidDeviceFunction);
  int got[64] = {};
  EXPECT(cuMemAlloc(&data, sizeof got) == CUDA_SUCCESS && cuMemsetD32(data, 0, 64) == CUDA_SUCCESS);
  EXPECT(cuFuncSetBlockShape(function, 64, 1, 1) == CUDA_SUCCESS && cuFuncSetSharedSize(function, 16) == CUDA_SUCCESS && cuParamSetSize(function, 4) == CUDA_SUCCESS);
  EXPECT(cuParamSeti(function, 0, (unsigned)data) == CUDA_SUCCESS && cuLaunch(function) == CUDA_ERROR_INVALID_VALUE); // half of a pointer
  EXPECT(cuParamSetv(function, 0, &data, sizeof data) == CUDA_SUCCESS && cuParamSetSize(function, sizeof data) == CUDA_SUCCESS && cuLaunchGrid(function, 1, 1) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(got, data, sizeof got) == CUDA_SUCCESS && got[0] == 40 && got[63] == 103);
  EXPECT(cuLaunchGridAsync(function, 0, 1, nullptr) == CUDA_ERROR_INVALID_VALUE && cuFuncSetBlockShape(function, 0, 1, 1) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuParamSetf(function, -4, 1.f) == CUDA_ERROR_INVALID_VALUE && cuParamSetf(nullptr, 0, 1.f) == CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cuMemFree(data) == CUDA_SUCCESS && cuModuleUnload(module) == CUDA_SUCCESS && cuLibraryUnload(library) == CUDA_SUCCESS);
  cudaGetLastError();
}

static void batches() {
  int *first = nullptr, *second = nullptr, from[2][8] = {{1, 2}, {3, 4}}, got[2] = {};
  EXPECT(cudaMalloc(&first, 32) == cudaSuccess && cudaMalloc(&second, 32) == cudaSuccess);
  cudaStream_t stream;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  void *to[] = {first, second}, *sources[] = {from[0], from[1]};
  std::size_t sizes[] = {32, 16}, starts[] = {0};
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
#if CUDART_VERSION < 13000
  std::size_t failed = 0;
  EXPECT(cudaMemcpyBatchAsync(to, sources, sizes, 2, &attributes, starts, 1, &failed, stream) == cudaSuccess);
  EXPECT(cudaMemcpyBatchAsync(to, sources, sizes, 2, &attributes, starts, 1, &failed, nullptr) == cudaErrorInvalidValue);
#endif
  EXPECT(cudaMemcpyBatchAsync((const void**)to, (const void**)sources, sizes, 2, attributes, stream) == cudaSuccess);
  EXPECT(cudaMemcpy(&got[0], first + 1, 4, cudaMemcpyDefault) == cudaSuccess && cudaMemcpy(&got[1], second + 1, 4, cudaMemcpyDefault) == cudaSuccess);
  EXPECT(got[0] == 2 && got[1] == 4);
  cudaGetLastError();
}

int main(int, char** arguments) {
  EXPECT(cuInit(0) == CUDA_SUCCESS && cudaFree(nullptr) == cudaSuccess);
  graphs();
  copy_into_array();
  any_node();
  modules();
  libraries(std::string(arguments[0]) + ".ptx");
  batches();
  return wrong;
}

// Link: -lcuda -lnvrtc
// Graphs by the driver API, libraries of the runtime API, copies in batches.
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <fstream>
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

static std::string compiled() {
  const char* const source = "__device__ int base = 40;\n"
                             "extern \"C\" __global__ void fill(int* p) { p[threadIdx.x] = base + threadIdx.x; }\n";
  nvrtcProgram program;
  std::size_t size = 0;
  EXPECT(nvrtcCreateProgram(&program, source, "fill.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  EXPECT(nvrtcAddNameExpression(program, "&base") == NVRTC_SUCCESS);
  EXPECT(nvrtcCompileProgram(program, 0, nullptr) == NVRTC_SUCCESS && nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS);
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
  EXPECT(cudaLaunchKernel((void*)own, dim3(1), dim3(32), of_add, 0, 0) == cudaSuccess && data[31] == 72);
  std::ofstream(file, std::ios::binary) << image.c_str();
  EXPECT(cudaLibraryLoadFromFile(&other, file.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaSuccess && other != library);
  EXPECT(cudaLibraryLoadFromFile(&other, "none.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaErrorFileNotFound);
  EXPECT(cudaLibraryUnload(library) == cudaSuccess && cudaLibraryUnload(library) == cudaErrorInvalidResourceHandle);
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
  libraries(std::string(arguments[0]) + ".ptx");
  batches();
  return wrong;
}

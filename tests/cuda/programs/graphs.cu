// Graphs that are built node by node, changed and launched; memory in the order of streams; and what
// programs ask the device before they begin.
#include "check.h"

#include <cstring>
#include <cuda_profiler_api.h>
#include <vector>

__global__ void add(int* data, int n, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += what;
}
__global__ void scale(int* data, int n, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= what;
}
__constant__ int symbol[4];

static void count_calls(void* calls) {
  ++*static_cast<int*>(calls);
}

static cudaKernelNodeParams kernel_node(void* function, void** arguments) {
  cudaKernelNodeParams params = {};
  params.func = function;
  params.gridDim = dim3(2);
  params.blockDim = dim3(32);
  params.kernelParams = arguments;
  return params;
}

static void node_by_node() {
  int host[64], back[64], n = 64, three = 3, five = 5, calls = 0;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  int* data = nullptr;
  cudaMalloc(&data, sizeof host);
  cudaGraph_t graph;
  EXPECT(cudaGraphCreate(&graph, 0) == cudaSuccess);

  // The copy back is added first, and done last.
  cudaGraphNode_t copy_in, copy_back, adds, scales, tells, nothing;
  EXPECT(cudaGraphAddMemcpyNode1D(&copy_back, graph, nullptr, 0, back, data, sizeof back,
                                  cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(cudaGraphAddMemcpyNode1D(&copy_in, graph, nullptr, 0, data, host, sizeof host,
                                  cudaMemcpyHostToDevice) == cudaSuccess);
  void *add_arguments[] = {&data, &n, &three}, *scale_arguments[] = {&data, &n, &five};
  cudaKernelNodeParams params = kernel_node((void*)scale, scale_arguments);
  EXPECT(cudaGraphAddKernelNode(&scales, graph, nullptr, 0, &params) == cudaSuccess);
  params = kernel_node((void*)add, add_arguments);
  EXPECT(cudaGraphAddKernelNode(&adds, graph, &copy_in, 1, &params) == cudaSuccess);
  cudaHostNodeParams host_params = {count_calls, &calls};
  EXPECT(cudaGraphAddHostNode(&tells, graph, &scales, 1, &host_params) == cudaSuccess);
  EXPECT(cudaGraphAddEmptyNode(&nothing, graph, &tells, 1) == cudaSuccess);
#if CUDART_VERSION >= 13000
  EXPECT(cudaGraphAddDependencies(graph, &adds, &scales, nullptr, 1) == cudaSuccess);
  EXPECT(cudaGraphAddDependencies(graph, &nothing, &copy_back, nullptr, 1) == cudaSuccess);
#else
  EXPECT(cudaGraphAddDependencies(graph, &adds, &scales, 1) == cudaSuccess);
  EXPECT(cudaGraphAddDependencies(graph, &nothing, &copy_back, 1) == cudaSuccess);
#endif
  five = 100; // the arguments were taken when the node was added

  size_t count = 0;
  EXPECT(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess && count == 6);
  EXPECT(cudaGraphGetRootNodes(graph, nullptr, &count) == cudaSuccess && count == 1);
  cudaGraphNode_t root = nullptr;
  EXPECT(cudaGraphGetRootNodes(graph, &root, &count) == cudaSuccess && root == copy_in);
#if CUDART_VERSION >= 13000
  EXPECT(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count) == cudaSuccess && count == 5);
#else
  EXPECT(cudaGraphGetEdges(graph, nullptr, nullptr, &count) == cudaSuccess && count == 5);
#endif
  cudaGraphNodeType type;
  EXPECT(cudaGraphNodeGetType(tells, &type) == cudaSuccess && type == cudaGraphNodeTypeHost);

  cudaGraph_t clone;
  cudaGraphNode_t of_clone;
  EXPECT(cudaGraphClone(&clone, graph) == cudaSuccess);
  EXPECT(cudaGraphNodeFindInClone(&of_clone, adds, clone) == cudaSuccess && of_clone != adds);

  cudaGraphExec_t exec;
  EXPECT(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  EXPECT(cudaGraphLaunch(exec, stream) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  for (int i = 0; i < n; ++i)
    EXPECT(back[i] == (i + 3) * 5);
  EXPECT(calls == 1);

  // Other arguments in what can be launched, and not in the graph.
  three = 7;
  params = kernel_node((void*)add, add_arguments);
  EXPECT(cudaGraphExecKernelNodeSetParams(exec, adds, &params) == cudaSuccess);
  EXPECT(cudaGraphLaunch(exec, stream) == cudaSuccess);
  cudaStreamSynchronize(stream);
  EXPECT(back[1] == 40 && calls == 2);
  cudaKernelNodeParams has = {};
  EXPECT(cudaGraphKernelNodeGetParams(adds, &has) == cudaSuccess && has.func == (void*)add &&
         has.blockDim.x == 32 && *(int*)has.kernelParams[2] == 3);

  // As the graph is now.
  cudaGraphExecUpdateResultInfo info;
  EXPECT(cudaGraphExecUpdate(exec, graph, &info) == cudaSuccess);
  EXPECT(info.result == cudaGraphExecUpdateSuccess);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  EXPECT(back[1] == 20);

  // A clone as a child, and what comes after it.
  cudaGraph_t parent;
  cudaGraphNode_t child, clears;
  cudaGraphCreate(&parent, 0);
  EXPECT(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, clone) == cudaSuccess);
  cudaMemsetParams zeros = {};
  zeros.dst = data;
  zeros.value = 9;
  zeros.elementSize = 4;
  zeros.width = 64;
  zeros.height = 1;
  EXPECT(cudaGraphAddMemsetNode(&clears, parent, &child, 1, &zeros) == cudaSuccess);
  cudaGraphExec_t parent_exec;
  EXPECT(cudaGraphInstantiate(&parent_exec, parent, 0) == cudaSuccess);
  EXPECT(cudaGraphExecUpdate(exec, parent, &info) == cudaErrorGraphExecUpdateFailure);
  cudaGetLastError();
  back[1] = 0;
  cudaGraphLaunch(parent_exec, stream);
  cudaStreamSynchronize(stream);
  EXPECT(back[1] == 20 && calls == 4);
  cudaMemcpy(back, data, sizeof back, cudaMemcpyDeviceToHost);
  EXPECT(back[0] == 9 && back[63] == 9);

  EXPECT(cudaGraphDestroyNode(clears) == cudaSuccess);
  EXPECT(cudaGraphGetNodes(parent, nullptr, &count) == cudaSuccess && count == 1);
  EXPECT(cudaGraphExecDestroy(parent_exec) == cudaSuccess);
  EXPECT(cudaGraphExecDestroy(exec) == cudaSuccess);
  EXPECT(cudaGraphDestroy(parent) == cudaSuccess);
  EXPECT(cudaGraphDestroy(clone) == cudaSuccess);
  EXPECT(cudaGraphDestroy(graph) == cudaSuccess);
  cudaStreamDestroy(stream);
  cudaFree(data);
}

// Captures that end in an error.
static void refused_captures() {
  cudaStream_t first, second;
  cudaEvent_t forks;
  cudaGraph_t graph;
  cudaStreamCaptureStatus status;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&forks);
  const auto begin = [&] {
    EXPECT(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed) == cudaSuccess);
    EXPECT(cudaEventRecord(forks, first) == cudaSuccess && cudaStreamWaitEvent(second, forks, 0) == cudaSuccess);
  };
  const auto ends = [&](cudaError_t error) {
    EXPECT(cudaStreamEndCapture(first, &graph) == error && graph == nullptr && cudaGetLastError() == error);
    EXPECT(cudaStreamIsCapturing(second, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone);
  };
  begin(); // waits for what never runs
  EXPECT(cudaStreamSynchronize(first) == cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamQuery(second) == cudaErrorStreamCaptureUnsupported);
  Device<int> memory(1);
  EXPECT(cudaMemsetAsync(memory.data, 0, 4, second) == cudaErrorStreamCaptureInvalidated);
  EXPECT(cudaStreamIsCapturing(second, &status) == cudaSuccess && status == cudaStreamCaptureStatusInvalidated);
  ends(cudaErrorStreamCaptureInvalidated);
  begin();
  EXPECT(cudaEventSynchronize(forks) == cudaErrorCapturedEvent);
  ends(cudaErrorStreamCaptureInvalidated);
  EXPECT(cudaStreamSynchronize(first) == cudaSuccess && cudaEventQuery(forks) == cudaErrorInvalidValue); // it is in a graph
  begin(); // nobody has waited for the second stream
  add<<<1, 1, 0, second>>>(nullptr, 0, 1);
  ends(cudaErrorStreamCaptureUnjoined);
  begin();
  EXPECT(cudaStreamEndCapture(second, &graph) == cudaErrorStreamCaptureUnmatched);
  ends(cudaErrorStreamCaptureInvalidated);
  cudaEventDestroy(forks);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

// Two streams that are captured together, and memory that the graph allocates.
static void captured() {
  cudaStream_t first, second;
  cudaEvent_t forks, joins;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreateWithFlags(&forks, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&joins, cudaEventDisableTiming);
  int *a = nullptr, *b = nullptr, back[2] = {};
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMemset(a, 0, 64 * sizeof(int));
  EXPECT(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal) == cudaSuccess);
  add<<<2, 32, 0, first>>>(a, 64, 1);
  cudaEventRecord(forks, first);
  cudaStreamWaitEvent(second, forks, 0);
  cudaMallocAsync((void**)&b, 64 * sizeof(int), second);
  cudaMemsetAsync(b, 0, 64 * sizeof(int), second);
  add<<<2, 32, 0, second>>>(b, 64, 2);
  scale<<<2, 32, 0, first>>>(a, 64, 10);
  cudaMemcpyAsync(back + 1, b + 5, sizeof(int), cudaMemcpyDeviceToHost, second);
  cudaFreeAsync(b, second);
  cudaEventRecord(joins, second);
  cudaStreamWaitEvent(first, joins, 0);
  cudaMemcpyAsync(back, a + 5, sizeof(int), cudaMemcpyDeviceToHost, first);
  cudaStreamCaptureStatus status;
  EXPECT(cudaStreamIsCapturing(second, &status) == cudaSuccess);
  EXPECT(status == cudaStreamCaptureStatusActive);
  cudaGraph_t graph;
  EXPECT(cudaStreamEndCapture(first, &graph) == cudaSuccess);
  // The event is one of a capture that has ended, so nobody can wait for it.
  EXPECT(cudaStreamWaitEvent(second, forks, 0) == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(cudaStreamIsCapturing(second, &status) == cudaSuccess);
  EXPECT(status == cudaStreamCaptureStatusNone);
  size_t count = 0;
  EXPECT(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess && count == 8);
  EXPECT(cudaGraphGetRootNodes(graph, nullptr, &count) == cudaSuccess && count == 1);
  cudaGraphExec_t exec;
  EXPECT(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  for (int round = 1, expected = 0; round <= 3; ++round) {
    expected = (expected + 1) * 10;
    EXPECT(cudaGraphLaunch(exec, first) == cudaSuccess);
    cudaStreamSynchronize(first);
    EXPECT(back[0] == expected && back[1] == 2);
  }
  unsigned long long used = 0;
  EXPECT(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used) == cudaSuccess);
  EXPECT(used >= 64 * sizeof(int));
  EXPECT(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaEventDestroy(forks);
  cudaEventDestroy(joins);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(a);
}

static void pools() {
  cudaMemPool_t standard, own;
  EXPECT(cudaDeviceGetDefaultMemPool(&standard, 0) == cudaSuccess);
  unsigned long long threshold = ~0ull, got = 0;
  EXPECT(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold) ==
         cudaSuccess);
  EXPECT(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &got) == cudaSuccess);
  EXPECT(got == threshold);
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  EXPECT(cudaMemPoolCreate(&own, &props) == cudaSuccess);
  int *p = nullptr, *q = nullptr;
  EXPECT(cudaMallocFromPoolAsync((void**)&p, 1 << 20, own, 0) == cudaSuccess);
  EXPECT(cudaMallocAsync((void**)&q, 256, 0) == cudaSuccess);
  EXPECT(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &got) == cudaSuccess);
  EXPECT(got >= 1 << 20);
  EXPECT(cudaFreeAsync(p, 0) == cudaSuccess && cudaFreeAsync(q, 0) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(0) == cudaSuccess);
  EXPECT(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &got) == cudaSuccess);
  EXPECT(got == 0);
  EXPECT(cudaMemPoolTrimTo(own, 0) == cudaSuccess);
  EXPECT(cudaMemPoolDestroy(own) == cudaSuccess);
}

static void questions() {
  int value = -1, driver = 0, runtime = 0;
  cudaDeviceProp p;
  EXPECT(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  EXPECT(p.warpSize == 32 && p.major >= 8 && p.cooperativeLaunch == 1 && p.name[0] != 0);
  EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0) == cudaSuccess && value == 32);
  EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0) == cudaSuccess && value == 1);
  EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlock, 0) == cudaSuccess);
  EXPECT(value == (int)p.sharedMemPerBlock && value == 49152);
  EXPECT(cudaDriverGetVersion(&driver) == cudaSuccess && driver >= 12000);
  EXPECT(cudaRuntimeGetVersion(&runtime) == cudaSuccess && runtime == CUDART_VERSION);
  char bus[32] = {};
  EXPECT(cudaDeviceGetPCIBusId(bus, sizeof bus, 0) == cudaSuccess && std::strchr(bus, ':'));
  EXPECT(cudaDeviceGetByPCIBusId(&value, bus) == cudaSuccess && value == 0);
  EXPECT(cudaDeviceCanAccessPeer(&value, 0, 0) != cudaSuccess || value == 0);
  cudaGetLastError();

  cudaFuncAttributes attributes;
  EXPECT(cudaFuncGetAttributes(&attributes, add) == cudaSuccess);
  EXPECT(attributes.maxThreadsPerBlock == 1024 && attributes.sharedSizeBytes == 0);
  EXPECT(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10) ==
         cudaSuccess);
  EXPECT(cudaFuncSetCacheConfig(add, cudaFuncCachePreferL1) == cudaSuccess);
  int blocks = 0, grid = 0, block = 0;
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0) == cudaSuccess);
  EXPECT(blocks == 8);
  EXPECT(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 0) == cudaSuccess);
  EXPECT(block >= 256 && grid > 0);
  EXPECT(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, add, [](int n) {
           return n * sizeof(int);
         }) == cudaSuccess);
  size_t shared = 0;
  EXPECT(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, add, 2, 256) == cudaSuccess && shared > 0);

  cudaStream_t stream;
  int least = 1, greatest = 1;
  EXPECT(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess && least == 0 &&
         greatest < 0);
  EXPECT(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest) == cudaSuccess);
  EXPECT(cudaStreamGetPriority(stream, &value) == cudaSuccess && value == greatest);
  cudaLaunchAttributeValue window = {}, read = {};
  window.accessPolicyWindow.hitRatio = 0.5f;
  window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  int* managed = nullptr;
  cudaMallocManaged(&managed, 4096);
  window.accessPolicyWindow.base_ptr = managed;
  window.accessPolicyWindow.num_bytes = 4096;
  EXPECT(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window) ==
         cudaSuccess);
  EXPECT(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &read) == cudaSuccess);
  EXPECT(read.accessPolicyWindow.num_bytes == 4096);
  EXPECT(cudaCtxResetPersistingL2Cache() == cudaSuccess);

#if CUDART_VERSION >= 13000
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  EXPECT(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, here) == cudaSuccess);
  EXPECT(cudaMemPrefetchAsync(managed, 4096, here, 0, stream) == cudaSuccess);
#else
  EXPECT(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, 0) == cudaSuccess);
  EXPECT(cudaMemPrefetchAsync(managed, 4096, 0, stream) == cudaSuccess);
#endif
  EXPECT(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, managed,
                                  4096) == cudaSuccess);
  EXPECT(value == 1);
  EXPECT(cudaStreamAttachMemAsync(stream, managed) == cudaSuccess);
  cudaStreamSynchronize(stream);
  cudaPointerAttributes where;
  EXPECT(cudaPointerGetAttributes(&where, managed) == cudaSuccess &&
         where.type == cudaMemoryTypeManaged);
  int calls = 0;
  EXPECT(cudaLaunchHostFunc(stream, count_calls, &calls) == cudaSuccess);
  cudaStreamSynchronize(stream);
  EXPECT(calls == 1);
  const int four[4] = {1, 2, 3, 4};
  int back[4] = {};
  EXPECT(cudaMemcpyToSymbolAsync(symbol, four, sizeof four, 0, cudaMemcpyHostToDevice, stream) ==
         cudaSuccess);
  EXPECT(cudaMemcpyFromSymbolAsync(back, symbol, sizeof back, 0, cudaMemcpyDeviceToHost, stream) ==
         cudaSuccess);
  cudaStreamSynchronize(stream);
  EXPECT(back[3] == 4);
  EXPECT(cudaProfilerStart() == cudaSuccess && cudaProfilerStop() == cudaSuccess);
  cudaFree(managed);
  cudaStreamDestroy(stream);
}

// What is captured so far, and what comes next depends on; with data of edges, as CUDA 13 has it.
static void capture_by_hand() {
  int calls = 0;
  cudaStream_t stream;
  cudaGraph_t graph, same;
  const cudaGraphNode_t* nodes = nullptr;
  const cudaGraphEdgeData* data = nullptr;
  size_t count = 0;
  unsigned long long id = 0;
  cudaStreamCaptureStatus status;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  EXPECT(cudaLaunchHostFunc(stream, count_calls, &calls) == cudaSuccess);
#if CUDART_VERSION >= 13000
  EXPECT(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &data, &count) == cudaSuccess);
#else
  EXPECT(cudaStreamGetCaptureInfo_v3(stream, &status, &id, &graph, &nodes, &data, &count) == cudaSuccess);
#endif
  EXPECT(status == cudaStreamCaptureStatusActive && count == 1 && id != 0);
  cudaGraphNode_t before = nodes[0], own;
  cudaHostNodeParams params = {count_calls, &calls};
  EXPECT(cudaGraphAddHostNode(&own, graph, &before, 1, &params) == cudaSuccess);
#if CUDART_VERSION >= 13000
  EXPECT(cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, cudaStreamSetCaptureDependencies) == cudaSuccess);
#else
  EXPECT(cudaStreamUpdateCaptureDependencies_v2(stream, &own, nullptr, 1, cudaStreamSetCaptureDependencies) == cudaSuccess);
#endif
  EXPECT(cudaLaunchHostFunc(stream, count_calls, &calls) == cudaSuccess);
  EXPECT(cudaStreamEndCapture(stream, &same) == cudaSuccess && same == graph);
  size_t edges = 0;
#if CUDART_VERSION >= 13000
  EXPECT(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges) == cudaSuccess && edges == 2);
#else
  EXPECT(cudaGraphGetEdges(graph, nullptr, nullptr, &edges) == cudaSuccess && edges == 2);
#endif
  cudaGraphExec_t exec;
  EXPECT(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess && cudaGraphLaunch(exec, stream) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess && calls == 3);
}

// Copies between symbols and memory, and events, that nodes are given later.
static void changes() {
  cudaGraph_t graph;
  cudaGraphNode_t in, out, record, wait;
  cudaGraphExec_t exec;
  cudaEvent_t event, other, now = nullptr;
  int first[] = {1, 2}, second[] = {3, 4}, third[] = {5, 6}, got[4] = {}, seen[2] = {};
  EXPECT(cudaGraphCreate(&graph, 0) == cudaSuccess && cudaEventCreate(&event) == cudaSuccess && cudaEventCreate(&other) == cudaSuccess);
  EXPECT(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, symbol, first, 8, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  EXPECT(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, got, symbol, 16, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(cudaGraphAddEventRecordNode(&record, graph, &out, 1, event) == cudaSuccess && cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event) == cudaSuccess);
  EXPECT(cudaGraphMemcpyNodeSetParamsToSymbol(in, symbol, second, 8, 8, cudaMemcpyHostToDevice) == cudaSuccess);
  EXPECT(cudaGraphMemcpyNodeSetParamsToSymbol(in, symbol, second, 8, 12, cudaMemcpyHostToDevice) == cudaErrorInvalidValue); // beyond its end
  EXPECT(cudaGraphMemcpyNodeSetParamsToSymbol(in, first, second, 8, 0, cudaMemcpyHostToDevice) == cudaErrorInvalidSymbol);
  EXPECT(cudaGraphMemcpyNodeSetParamsFromSymbol(out, got, symbol, 8, 8, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(cudaGraphMemcpyNodeSetParamsFromSymbol(record, got, symbol, 8, 8, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  EXPECT(cudaGraphEventRecordNodeSetEvent(record, other) == cudaSuccess && cudaGraphEventRecordNodeGetEvent(record, &now) == cudaSuccess && now == other);
  EXPECT(cudaGraphEventWaitNodeSetEvent(wait, other) == cudaSuccess && cudaGraphEventWaitNodeSetEvent(record, other) == cudaErrorInvalidValue);
  EXPECT(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess && cudaGraphLaunch(exec, 0) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(got[0] == 3 && got[1] == 4 && cudaEventQuery(other) == cudaSuccess);
  EXPECT(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, in, symbol, third, 4, 12, cudaMemcpyHostToDevice) == cudaSuccess);
  EXPECT(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, out, seen, symbol, 8, 8, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, record, seen, symbol, 8, 8, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  EXPECT(cudaGraphLaunch(exec, 0) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess && seen[0] == 3 && seen[1] == 5);
  struct Counted {
    int* count;
    ~Counted() { ++*count; }
  };
  int deleted = 0;
  cudaUserObject_t object;
  EXPECT(cudaUserObjectCreate(&object, new Counted{&deleted}, 1, cudaUserObjectNoDestructorSync) == cudaSuccess);
  EXPECT(cudaGraphRetainUserObject(graph, object) == cudaSuccess && cudaUserObjectRelease(object) == cudaSuccess && deleted == 0);
  EXPECT(cudaGraphExecDestroy(exec) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess && deleted == 1);
  EXPECT(cudaEventRecordWithFlags(event) == cudaSuccess && cudaEventRecordWithFlags(nullptr) == cudaErrorInvalidResourceHandle);
#if CUDART_VERSION < 13000
  size_t limit = 0;
  EXPECT(cudaThreadSetLimit(cudaLimitStackSize, 4096) == cudaSuccess && cudaThreadGetLimit(&limit, cudaLimitStackSize) == cudaSuccess && limit == 4096);
  EXPECT(cudaThreadSetLimit(static_cast<cudaLimit>(99), 1) == cudaErrorUnsupportedLimit && cudaThreadSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess);
#endif
  const cudaError_t flushed = cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToOwner);
  EXPECT(flushed == cudaErrorNotSupported || flushed == cudaSuccess); // a GPU may have it
  cudaGetLastError();
}

int main() {
  changes();
  capture_by_hand();
  node_by_node();
  captured();
  refused_captures();
  pools();
  questions();
  EXPECT(cudaGetLastError() == cudaSuccess);
  return wrong;
}

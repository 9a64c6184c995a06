// Conditional nodes of graphs: what is done depends on a value that a kernel has set.
#include "check.h"

__global__ void count_down(int* left, cudaGraphConditionalHandle handle) {
  *left -= 1;
  cudaGraphSetConditional(handle, *left > 0 ? 1 : 0);
}
__global__ void choose(cudaGraphConditionalHandle handle, const int* value) {
  cudaGraphSetConditional(handle, *value);
}
__global__ void add(int* to, int by) {
  *to += by;
}

static void add_kernel(cudaGraph_t graph, void* kernel, void** arguments,
                       cudaGraphNode_t* node = nullptr) {
  cudaGraphNode_t made = nullptr;
  cudaKernelNodeParams params{};
  params.func = kernel;
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  EXPECT(cudaGraphAddKernelNode(node ? node : &made, graph, nullptr, 0, &params) == cudaSuccess);
}

static cudaGraphNodeParams condition(cudaGraphConditionalHandle handle,
                                     cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  return params;
}

static cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNode_t* before,
                            cudaGraphNodeParams* params) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddNode(node, graph, before, nullptr, before ? 1 : 0, params);
#else
  return cudaGraphAddNode(node, graph, before, before ? 1 : 0, params);
#endif
}

// The loop's body is captured, and runs until the kernel in it says so.
static void loops() {
  const int begin = 5;
  Device<int> left(1, &begin), rounds(1);
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle handle = 0;
  EXPECT(cudaGraphCreate(&graph, 0) == cudaSuccess);
  EXPECT(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault) ==
         cudaSuccess);
  cudaGraphNodeParams params = condition(handle, cudaGraphCondTypeWhile, 1);
  cudaGraphNode_t node = nullptr;
  EXPECT(add_node(&node, graph, nullptr, &params) == cudaSuccess);
  cudaGraph_t body = params.conditional.phGraph_out[0];
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  EXPECT(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                       cudaStreamCaptureModeGlobal) == cudaSuccess);
  count_down<<<1, 1, 0, stream>>>(left.data, handle);
  add<<<1, 1, 0, stream>>>(rounds.data, 1);
  EXPECT(cudaStreamEndCapture(stream, nullptr) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  EXPECT(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  EXPECT(cudaGraphDestroy(graph) == cudaSuccess); // the instance goes on
  EXPECT(cudaGraphLaunch(exec, stream) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  EXPECT(left[0] == 0 && rounds[0] == 5);
  EXPECT(cudaGraphLaunch(exec, stream) == cudaSuccess); // the value is 1 again
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  EXPECT(left[0] == -1 && rounds[0] == 6);
  cudaGraphExecDestroy(exec);
  cudaStreamDestroy(stream);
}

// A kernel sets the value that the node behind it looks at.
static void branches() {
  Device<int> value(1), taken(1);
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle handle = 0;
  EXPECT(cudaGraphCreate(&graph, 0) == cudaSuccess);
  EXPECT(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0) == cudaSuccess);
  cudaGraphNode_t first = nullptr, node = nullptr;
  void* arguments[] = {&handle, &value.data};
  add_kernel(graph, reinterpret_cast<void*>(choose), arguments, &first);
  cudaGraphNodeParams params = condition(handle, cudaGraphCondTypeIf, 1);
  EXPECT(add_node(&node, graph, &first, &params) == cudaSuccess);
  int by = 10;
  void* of_add[] = {&taken.data, &by};
  add_kernel(params.conditional.phGraph_out[0], reinterpret_cast<void*>(add), of_add);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  EXPECT(cudaGraphNodeGetType(node, &type) == cudaSuccess && type == cudaGraphNodeTypeConditional);
  cudaGraphExec_t exec = nullptr;
  EXPECT(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  for (const int now : {0, 3, 0, 1}) {
    cudaMemcpy(value.data, &now, sizeof now, cudaMemcpyHostToDevice);
    EXPECT(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  }
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && taken[0] == 20);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

static void wrong_ones() {
  cudaGraph_t graph = nullptr, other = nullptr;
  cudaGraphConditionalHandle handle = 0;
  cudaGraphNode_t node = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&other, 0);
  EXPECT(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0) == cudaSuccess);
  cudaGraphNodeParams params = condition(handle, cudaGraphCondTypeWhile, 2);
  EXPECT(add_node(&node, graph, nullptr, &params) == cudaErrorInvalidValue);
  params = condition(handle, cudaGraphCondTypeIf, 0);
  EXPECT(add_node(&node, graph, nullptr, &params) == cudaErrorInvalidValue);
  cudaGetLastError();
  cudaGraphDestroy(graph);
  cudaGraphDestroy(other);
}

int main() {
  loops();
  branches();
  wrong_ones();
  return wrong;
}

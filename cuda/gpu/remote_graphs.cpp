// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs captured from streams (remote.h). A server does not support other graphs.
#include "cuda/gpu/calls.h"
#include "cuda/gpu/remote.h"
#include "cuda/gpu/server.h"

extern "C" {
int cudaStreamEndCapture(void* stream, void** graph);
int cudaGraphDestroy(void* graph);
int cudaGraphExecDestroy(void* graph);
int cudaGraphInstantiate(void** made, void* graph, unsigned long flags, char* log,
                         std::size_t size);
}

namespace gputest::cuda::gpu {
namespace {

int end_capture(void** graph, void* stream) {
  return Server::get().keep(cudaStreamEndCapture(stream, graph), graph, cudaGraphDestroy);
}
int make_executable(void** made, void* graph, unsigned long flags) {
  return Server::get().keep(cudaGraphInstantiate(made, graph, flags, nullptr, 0), made,
                            cudaGraphExecDestroy);
}
// CUDA 12 changed the third parameter.
int instantiate(void** made, void* graph, unsigned long flags) {
  if (version_in_server() < 12000)
    refuse("cudaGraphInstantiate");
  return forward<make_executable>(results(made), graph, flags);
}

} // namespace
} // namespace gputest::cuda::gpu

using namespace gputest::cuda::gpu;

GPUTEST_WRAP_VALUES(cudaStreamBeginCapture, (void* stream, int mode), (stream, mode), stream, mode)
GPUTEST_WRAP(cudaStreamEndCapture, (void* stream, void** graph), (stream, graph),
             forward<end_capture>(results(graph), stream))
GPUTEST_WRAP(cudaGraphInstantiate,
             (void** made, void* graph, unsigned long flags, char* log, std::size_t size),
             (made, graph, flags, log, size), instantiate(made, graph, flags))
GPUTEST_WRAP(cudaGraphDestroy, (void* graph), (graph), forward<release<cudaGraphDestroy>>(graph))
GPUTEST_WRAP(cudaGraphExecDestroy, (void* graph), (graph),
             forward<release<cudaGraphExecDestroy>>(graph))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of streams, and nodes of graphs, that write words of memory or wait for them.
#include "cuda/libcuda/libcuda.h"

#include <algorithm>

using namespace gputest::cuda;

namespace {

using Operation = CUstreamBatchMemOpParams;

// A type of node for which cudaGraphNodeType has no name.
constexpr auto kNodeType = static_cast<cudaGraphNodeType>(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);

std::size_t size_of(const Operation& operation) { // of the word, in bytes; 0: there is none
  switch (operation.operation) {
  case CU_STREAM_MEM_OP_WAIT_VALUE_32:
  case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    return 4;
  case CU_STREAM_MEM_OP_WAIT_VALUE_64:
  case CU_STREAM_MEM_OP_WRITE_VALUE_64:
    return 8;
  default:
    return 0;
  }
}

bool is_wait(const Operation& operation) {
  return operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 ||
         operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
}

CUresult wrong(const State& state, const Operation& operation) {
  if (operation.operation == CU_STREAM_MEM_OP_BARRIER)
    return operation.memoryBarrier.flags > CU_STREAM_MEMORY_BARRIER_TYPE_GPU
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
  const std::size_t size = size_of(operation);
  const bool waits = is_wait(operation); // both kinds have the same members
  if (size == 0 || (waits && operation.waitValue.flags & CU_STREAM_WAIT_VALUE_FLUSH))
    return operation.operation == CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES || size > 0
               ? CUDA_ERROR_NOT_SUPPORTED // as the device says of itself
               : CUDA_ERROR_INVALID_VALUE;
  const CUdeviceptr address = operation.waitValue.address;
  const Allocation* const allocation = state.heap.find(at(address));
  if (!allocation || allocation->kind == MemoryKind::Managed || address % size != 0 ||
      !state.heap.is_inside(at(address), size) ||
      operation.waitValue.flags > (waits ? unsigned{CU_STREAM_WAIT_VALUE_NOR}
                                         : unsigned{CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER}))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

template <typename Word, typename Difference>
bool holds(Word there, Word value, unsigned condition) {
  switch (condition) {
  case CU_STREAM_WAIT_VALUE_GEQ:
    return static_cast<Difference>(there - value) >= 0;
  case CU_STREAM_WAIT_VALUE_EQ:
    return there == value;
  case CU_STREAM_WAIT_VALUE_AND:
    return (there & value) != 0;
  default:
    return static_cast<Word>(~(there | value)) != 0;
  }
}

// A word in registered memory is read and written in the host's memory. Launches copy it for
// kernels.
bool is_there(const State& state, const Operation& operation) {
  const auto& wait = operation.waitValue;
  const std::byte* const place = state.place_of_host(at(wait.address));
  std::uint64_t word = 0;
  std::memcpy(&word, place, size_of(operation));
  return size_of(operation) == 4
             ? holds<std::uint32_t, std::int32_t>(static_cast<std::uint32_t>(word), wait.value,
                                                  wait.flags)
             : holds<std::uint64_t, std::int64_t>(word, wait.value64, wait.flags);
}

void write(State& state, const Operation& operation) {
  void* const word = at(operation.writeValue.address);
  std::memcpy(state.place_of_host(word), &operation.writeValue.value64, size_of(operation));
  state.written(word, size_of(operation));
}

using Operations = std::vector<Operation>;

WaitingWork work_of(const Operations& operations) {
  const auto shared = std::make_shared<const Operations>(operations);
  return {.go_on = [shared](State& state, std::size_t& step) -> std::optional<cudaError_t> {
            for (; step < shared->size(); ++step) {
              const Operation& operation = (*shared)[step];
              if (size_of(operation) == 0) // a barrier: earlier writes are visible already
                continue;
              if (!is_wait(operation))
                write(state, operation);
              else if (!is_there(state, operation))
                return std::nullopt;
            }
            return cudaSuccess;
          },
          .operations = shared};
}

CUresult wrong(const Operation* operations, unsigned count, unsigned flags) {
  if (!operations || count == 0 || count > 255 || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i)
    if (const CUresult error = wrong(State::get(), operations[i]))
      return error;
  return CUDA_SUCCESS;
}

CUresult put(CUstream stream, const Operation* operations, unsigned count, unsigned flags) {
  return driver_call([&] {
    if (const CUresult error = wrong(operations, count, flags))
      return error;
    return result_of(in_stream(stream, kNodeType, Work(work_of({operations, operations + count}))));
  });
}

// Calls `what` with the work of a node's parameters.
template <typename What>
CUresult with_work(const CUDA_BATCH_MEM_OP_NODE_PARAMS* params, What&& what,
                   const char* caller = __builtin_FUNCTION()) {
  return driver_call(
      [&] {
        if (!params)
          return CUDA_ERROR_INVALID_VALUE;
        if (const CUresult error = wrong(params->paramArray, params->count, params->flags))
          return error;
        return result_of(what(work_of({params->paramArray, params->paramArray + params->count})));
      },
      caller);
}

template <typename Value>
CUresult put(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address, Value value,
             unsigned flags) {
  Operation operation{};
  operation.waitValue.operation = type;
  operation.waitValue.address = address;
  operation.waitValue.flags = flags;
  operation.waitValue.value64 = value;
  return put(stream, &operation, 1, 0);
}

} // namespace

extern "C" {
CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                unsigned int flags) {
  return put(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags);
}
CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                unsigned int flags) {
  return put(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags);
}
CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                 unsigned int flags) {
  return put(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags);
}
CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                 unsigned int flags) {
  return put(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags);
}
CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned int count,
                               CUstreamBatchMemOpParams* operations, unsigned int flags) {
  return put(stream, operations, count, flags);
}
CUresult cuGraphAddBatchMemOpNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
  return with_work(params, [&](const WaitingWork& work) {
    return add_node(node, graph, dependencies, count, kNodeType, work);
  });
}
// The operations are the node's until it gets others.
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
  return driver_call([&] {
    const auto* const work = is_live(node) ? std::get_if<WaitingWork>(&node->work) : nullptr;
    if (!work || !params)
      return CUDA_ERROR_INVALID_VALUE;
    const auto* const operations = static_cast<const Operations*>(work->operations.get());
    *params = {.ctx = nullptr,
               .count = static_cast<unsigned>(operations->size()),
               .paramArray = const_cast<Operation*>(operations->data()),
               .flags = 0};
    return CUDA_SUCCESS;
  });
}
CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node,
                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
  return with_work(params,
                   [&](const WaitingWork& work) { return set_work(node, kNodeType, work); });
}
CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec graph, CUgraphNode node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
  return with_work(params, [&](const WaitingWork& work) {
    return graph ? set_work(node_of(graph, node), kNodeType, work) : cudaErrorInvalidValue;
  });
}
}

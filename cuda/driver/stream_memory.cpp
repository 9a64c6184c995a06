// Words of memory that streams write, and wait for. Work is done when it is put into its stream, so
// that what a stream waits for must be there by then.
#include "cuda/driver/driver.h"

#include <cstdio>

using namespace gputest::cuda;

namespace {

using Operation = CUstreamBatchMemOpParams;

// What cudaGraphNodeType has no name for.
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

cudaError_t perform(State& state, const Operation& operation) {
  const std::size_t size = size_of(operation);
  if (size == 0)
    return cudaSuccess; // all that was written before can be seen
  void* const word = at(operation.waitValue.address);
  std::byte* const view = state.heap.view(word);
  if (!is_wait(operation)) {
    std::memcpy(view, &operation.writeValue.value64, size);
    state.written(word, size);
    return cudaSuccess;
  }
  std::uint32_t low = 0;
  std::uint64_t all = 0;
  std::memcpy(&low, view, sizeof low);
  if (size == sizeof all)
    std::memcpy(&all, view, sizeof all);
  const auto& wait = operation.waitValue;
  if (size == 4 ? holds<std::uint32_t, std::int32_t>(low, wait.value, wait.flags)
                : holds<std::uint64_t, std::int64_t>(all, wait.value64, wait.flags))
    return cudaSuccess;
  std::fprintf(stderr, "gputest-cuda: error: a stream waits for a value that is not there yet; the "
                       "simulator does what is in a stream at once\n");
  return cudaErrorNotSupported;
}

CUresult put(CUstream stream, std::vector<Operation> operations) {
  return driver_call([&] {
    for (const Operation& operation : operations)
      if (const CUresult error = wrong(State::get(), operation))
        return error;
    return result_of(in_stream(stream, kNodeType, [operations](State& state) {
      for (const Operation& operation : operations)
        if (const cudaError_t error = perform(state, operation))
          return error;
      return cudaSuccess;
    }));
  });
}

template <typename Value>
CUresult put(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address, Value value,
             unsigned flags) {
  Operation operation{};
  operation.waitValue.operation = type;
  operation.waitValue.address = address;
  operation.waitValue.flags = flags;
  operation.waitValue.value64 = value;
  return put(stream, std::vector{operation});
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
  if (!operations || count == 0 || count > 255 || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  return put(stream, {operations, operations + count});
}
}

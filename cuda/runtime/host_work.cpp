// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/host_work.h"

#include "cuda/runtime/call.h"
#include "cuda/runtime/order/order.h"
#include "process/code_place.h"

#include <algorithm>

namespace gputest::cuda {
namespace {

using simulator::cuda::Reader;
using simulator::cuda::Request;
using simulator::cuda::Writer;

// Calls `what(begin, size)` for each piece.
template <typename What> void for_each_piece(const Operand& operand, What&& what) {
  const auto* const begin = static_cast<const std::byte*>(operand.begin);
  if (operand.growth == 0 && operand.pitch == static_cast<std::ptrdiff_t>(operand.bytes)) {
    what(begin, operand.bytes * operand.rows);
    return;
  }
  for (std::size_t i = 0; i < operand.rows; ++i) {
    const auto row = static_cast<std::ptrdiff_t>(i);
    const auto size = static_cast<std::ptrdiff_t>(operand.bytes) + row * operand.growth;
    if (size > 0)
      what(begin + row * operand.pitch, static_cast<std::size_t>(size));
  }
}

struct Extent {
  std::uint64_t begin = ~std::uint64_t{0}, end = 0; // addresses
};

Extent extent_of(const Operand& operand) {
  Extent extent;
  for_each_piece(operand, [&](const std::byte* begin, std::size_t size) {
    const auto address = reinterpret_cast<std::uint64_t>(begin);
    extent.begin = std::min(extent.begin, address);
    extent.end = std::max(extent.end, address + size);
  });
  return extent;
}

std::string verb_of(const Operand& operand) {
  return operand.writes ? "writes " : "reads ";
}

// What is wrong with an operand: a kind of finding and a message.
struct Fault {
  std::string kind, message;
};

} // namespace

void State::read(const void* from, std::size_t size) const {
  touch(from, size, false);
}

// Returns the address of the first byte that nobody has written; 0: there is none.
std::uint64_t State::first_unwritten(const std::vector<Operand>& operands, std::size_t& which) {
  if (!follows_definedness_)
    return 0;
  simulator::cuda::ReadRanges read;
  std::vector<std::size_t> operand_of_range;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i].reads && !operands[i].may_be_unwritten && heap.find(operands[i].begin))
      for_each_piece(operands[i], [&](const std::byte* begin, std::size_t size) {
        read.ranges.push_back({.begin = reinterpret_cast<std::uint64_t>(begin), .size = size});
        operand_of_range.push_back(i);
      });
  if (operand_of_range.empty())
    return 0;
  read.changes = std::exchange(changes_, {});
  const std::optional<std::string> answer =
      ask("", Writer().put(Request::FirstUnwritten).put(read));
  if (!answer)
    return 0;
  Reader reply(*answer);
  if (reply.number() != 0)
    return 0;
  const auto found = reply.get<simulator::cuda::FirstUnwritten>();
  if (found.address != 0)
    which = operand_of_range.at(found.range);
  return found.address;
}

namespace {

std::optional<Fault> fault_of(const State& state, const HostWork& work, const Operand& operand) {
  const Extent extent = extent_of(operand);
  if (extent.begin >= extent.end) // nothing
    return std::nullopt;
  const std::string what = work.call + " " + verb_of(operand) + operand.name;
  if (!operand.begin)
    return Fault{.kind = "null_pointer", .message = what + " at a null pointer"};
  for (const HostRange& range : state.host_ranges)
    if (const auto begin = reinterpret_cast<std::uint64_t>(range.host);
        extent.begin >= begin && extent.end <= begin + range.size)
      return std::nullopt;
  const Allocation* const allocation = state.heap.find(operand.begin);
  if (!allocation)
    return Fault{.kind = "out_of_bounds",
                 .message = what + ", whose pointer is not one to memory of the device"};
  if (extent.end <= allocation->address + allocation->size && extent.begin >= allocation->address)
    return std::nullopt;
  const bool before = extent.begin < allocation->address;
  return Fault{.kind = "out_of_bounds",
               .message =
                   what + " " +
                   (before
                        ? "from byte -" + std::to_string(allocation->address - extent.begin) + " on"
                        : "up to byte " + std::to_string(extent.end - 1 - allocation->address)) +
                   " of " + std::to_string(allocation->size) + " bytes of memory"};
}

} // namespace

cudaError_t State::perform(const HostWork& work, std::span<const void* const> callers) {
  const auto line = [&] {
    for (const void* const caller : callers)
      if (const std::optional<CodeLine> found = line_of_author(caller))
        return *found;
    return CodeLine{};
  };
  // Returns success if all of them can be accessed.
  const auto check = [&](std::span<const Operand> operands) {
    for (const Operand& operand : operands)
      if (const std::optional<Fault> fault = fault_of(*this, work, operand)) {
        const CodeLine at = line();
        tell(fault->kind, at.file, at.line, at.column, fault->message, 1);
        // The check of bounds lets kernels go on, too.
        return checks_.find("bounds") != std::string::npos ? cudaErrorIllegalAddress
                                                           : broken(cudaErrorIllegalAddress, "");
      }
    return cudaSuccess;
  };
  if (is_lost())
    return sticky_;
  std::vector<Operand> operands = work.operands;
  if (const cudaError_t error = check(operands))
    return error;
  if (work.find_more) {
    work.find_more(operands);
    if (const cudaError_t error = check(std::span(operands).subspan(work.operands.size())))
      return error;
  }
  std::size_t which = 0;
  if (const std::uint64_t address = first_unwritten(operands, which)) {
    const Allocation* const allocation = heap.find(reinterpret_cast<const void*>(address));
    const CodeLine at = line();
    tell("uninitialized", at.file, at.line, at.column,
         work.call + " reads byte " +
             std::to_string(allocation ? address - allocation->address : 0) + " of " +
             std::to_string(allocation ? allocation->size : 0) + " bytes of memory, in " +
             operands[which].name + ", which nobody has written",
         1);
  }
  for (const Operand& operand : operands)
    if (operand.reads)
      for_each_piece(operand, [&](const void* begin, std::size_t size) { read(begin, size); });
  work.run();
  ++library_calls_;
  for (const Operand& operand : operands)
    if (operand.writes)
      for_each_piece(operand, [&](const void* begin, std::size_t size) { written(begin, size); });
  return cudaSuccess;
}

} // namespace gputest::cuda

using namespace gputest::cuda;

extern "C" {
cudaError_t gputest_cuda_host_work(cudaStream_t stream, const HostWork& work) {
  const gputest::process::Callers callers = gputest::process::callers_now();
  return in_stream(stream, cudaGraphNodeTypeKernel,
                   Work(OtherWork{.run = [=](State& state) { return state.perform(work, callers); },
                                  .name = work.call}));
}
void* gputest_cuda_host_place(const void* pointer) {
  State& state = State::get();
  const Lock lock(state.mutex);
  return state.place_of_host(pointer);
}
}

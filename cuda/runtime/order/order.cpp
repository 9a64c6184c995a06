// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/order/order.h"

#include "frontend/cuda/toolkit.h"
#include "process/code_place.h"

#include <algorithm>

namespace gputest::cuda {
namespace {

using simulator::cuda::AccessesWanted;
using simulator::cuda::kPlainRead;
using simulator::cuda::kPlainWrite;

// The two default streams have the numbers 1 and 2.
std::string name_of_stream(const StreamPlace& stream) {
  return stream.legacy          ? "the default stream"
         : stream.id >> 62 != 0 ? "the default stream of a thread"
                                : "stream " + std::to_string(stream.id - 2);
}

std::string text_of(const CodeLine& line) {
  return line.line == 0 ? "" : " (" + line.file + ":" + std::to_string(line.line) + ")";
}

const char* verb_of(const Touched& touched) {
  return touched.kind == kPlainWrite                    ? "writes"
         : touched.kind == kPlainRead                   ? "reads"
         : touched.kind == simulator::cuda::kAtomicRead ? "atomically reads"
                                                        : "atomically writes";
}

} // namespace

OperationPtr Order::put(const StreamPlace& stream, const std::string& what) {
  OperationPtr operation = operations_.put(stream);
  last_ = operation;
  operation->what = what;
  operation->stream = name_of_stream(stream);
  if (stream.id >> 62 != 0)
    will_be_concurrent();
  if (judges())
    operation->callers = process::callers_now();
  return operation;
}

OperationPtr Order::put_after(const StreamPlace& stream, Clock before, const std::string& what) {
  join(before, operations_.host());
  OperationPtr operation = operations_.put_after(std::move(before));
  operation->what = what;
  operation->stream = "a graph in " + name_of_stream(stream);
  return operation;
}

AccessesWanted Order::wanted() const {
  if (left_off_ || !current_)
    return AccessesWanted::None;
  return concurrent_ ? AccessesWanted::All
         : shares_   ? AccessesWanted::OfHost
                     : AccessesWanted::None;
}

void Order::leave_off() {
  left_off_ = true;
  footprints_.clear();
  host_watch_.clear();
}

std::uint32_t Order::number_of(const CodeLine& line) {
  const auto [at, is_new] = numbers_.try_emplace(line, static_cast<std::uint32_t>(lines_.size()));
  if (is_new)
    lines_.push_back(line);
  return at->second;
}

void Order::access(const void* begin, std::size_t size, bool writes) {
  if (!current_)
    return;
  const Allocation* const allocation = around_.heap.find(begin);
  if (!allocation || allocation->kind != MemoryKind::Device)
    touched_host_ = true;
  if (!judges() || !allocation || size == 0)
    return;
  add({{.begin = reinterpret_cast<std::uint64_t>(begin),
        .size = size,
        .place = 0,
        .kind = writes ? kPlainWrite : kPlainRead}});
}

void Order::launched(const std::vector<CodeLine>& places,
                     std::span<const simulator::cuda::AccessedRange> ranges, bool signals) {
  if (!current_ || !judges() || current_->waited)
    return;
  current_->signals = signals;
  std::vector<std::uint32_t> numbers;
  for (const CodeLine& place : places)
    numbers.push_back(number_of(place));
  std::vector<Touched> touched;
  touched.reserve(ranges.size());
  for (const simulator::cuda::AccessedRange& range : ranges)
    touched.push_back({.begin = range.begin,
                       .size = range.size,
                       .place = range.place < numbers.size() ? numbers[range.place] : 0,
                       .kind = static_cast<AccessKind>(range.kind)}); // is_known()
  add(touched);
}

void Order::add(const std::vector<Touched>& touched) {
  const OperationPtr operation = current_;
  for (const Conflict& conflict :
       footprints_.add(operation, touched, around_.is_exact() ? &operations_.host() : nullptr))
    report(operation, conflict);
  if (shares_ && !operation->signals)
    watch(touched);
}

void Order::watch(const std::vector<Touched>& touched) {
  if (std::ranges::any_of(touched, [](const Touched& one) {
        return one.kind == simulator::cuda::kAtomicWrite;
      })) // the host may learn from it
    return;
  constexpr std::uint64_t kPage = Footprints::kPage;
  for (const Touched& one : touched) {
    const Allocation* const allocation =
        around_.heap.find(reinterpret_cast<const void*>(one.begin));
    if (!allocation || allocation->kind == MemoryKind::Device)
      continue;
    for (std::uint64_t page = one.begin / kPage * kPage; page < one.begin + one.size;
         page += kPage) {
      const std::uint64_t begin = std::max(page, allocation->address),
                          end = std::min(page + kPage, allocation->address + allocation->size);
      const bool writes = one.kind == kPlainWrite;
      if (const HostWatch::Watched* const known = host_watch_.find(page, true);
          known && known->operation == current_ && known->writes >= writes)
        continue;
      if (begin < end && footprints_.covers(current_, begin, end - begin, writes))
        host_watch_.add(page, {.operation = current_, .place = one.place, .writes = writes});
    }
  }
  host_watch_.protect();
}

void Order::after_host() {
  host_watch_.release(operations_.host());
  if (!footprints_.empty() && around_.is_exact() && operations_.host_knows_all())
    footprints_.clear();
}

void Order::host_waits(const Clock& clock) {
  operations_.host_waits(clock);
  after_host();
}

void Order::host_waits_for(const StreamPlace& stream) {
  operations_.host_waits_for(stream);
  after_host();
}

void Order::host_waits_for_device(int device) {
  operations_.host_waits_for_device(device);
  after_host();
}

void Order::freed(std::uint64_t address, std::size_t size) {
  footprints_.forget(address, size);
  host_watch_.forget(address, size);
}

CodeLine Order::line_of(const StreamOperation& operation, std::uint32_t place) {
  if (place != 0 && !frontend::cuda::is_of_library(lines_[place].file))
    return lines_[place];
  for (const void* const caller : operation.callers)
    if (const std::optional<CodeLine> line = around_.line_of(caller))
      return *line;
  return lines_[place];
}

std::string Order::name_of(std::uint64_t address) const {
  const Allocation* const allocation = around_.heap.find(reinterpret_cast<const void*>(address));
  return allocation ? text_of(*allocation) : "memory";
}

void Order::report(const OperationPtr& later, const Conflict& conflict) {
  const CodeLine other = line_of(*conflict.earlier, conflict.of_earlier.place);
  const Allocation* const allocation =
      around_.heap.find(reinterpret_cast<const void*>(conflict.byte));
  const std::uint64_t byte = allocation ? conflict.byte - allocation->address : 0;
  around_.report(
      {.kind = "stream_race",
       .site = line_of(*later, conflict.of_later.place),
       .other = other,
       .message = later->what + " in " + later->stream + " " + verb_of(conflict.of_later) +
                  " byte " + std::to_string(byte) + " of " + name_of(conflict.byte) + ", which " +
                  conflict.earlier->what + " in " + conflict.earlier->stream + " " +
                  verb_of(conflict.of_earlier) + text_of(other) +
                  ", and nothing orders the two; an event that the later stream waits for "
                  "(cudaEventRecord(), cudaStreamWaitEvent()) would, or a host that waits in "
                  "between (cudaDeviceSynchronize())"});
}

bool Order::host_accesses(const void* at, bool writes, const void* pc) {
  const auto address = reinterpret_cast<std::uint64_t>(at);
  const std::uint64_t page = address / Footprints::kPage * Footprints::kPage;
  const Allocation* const allocation = around_.heap.find(at);
  const HostWatch::Watched* const found = host_watch_.find(page, writes);
  if (!found) // another thread may have just reported it
    return allocation && allocation->kind != MemoryKind::Device &&
           address < allocation->address + allocation->size;
  const HostWatch::Watched watched = *found;
  const CodeLine other = line_of(*watched.operation, watched.place);
  host_watch_.release(watched.operation);
  around_.report({.kind = "host_race",
                  .site = around_.line_of(pc).value_or(CodeLine{}),
                  .other = other,
                  .message = std::string("the host ") + (writes ? "writes" : "reads") + " byte " +
                             std::to_string(allocation ? address - allocation->address : 0) +
                             " of " + name_of(address) + ", which " + watched.operation->what +
                             " in " + watched.operation->stream + " may still " +
                             (watched.writes ? "write" : "read") + text_of(other) +
                             "; the host has to wait for it before, with cudaStreamSynchronize(), "
                             "cudaEventSynchronize() or cudaDeviceSynchronize()"});
  return true;
}

} // namespace gputest::cuda

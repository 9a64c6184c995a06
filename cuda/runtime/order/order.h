// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of races between operations of streams, and between these and the host. Without RACES
// there is none. The caller of each function holds the state's lock.
#pragma once

#include "cuda/runtime/memory/heap.h"
#include "cuda/runtime/order/footprints.h"
#include "cuda/runtime/order/host_watch.h"
#include "cuda/runtime/order/operations.h"

#include <functional>
#include <optional>
#include <tuple>

namespace gputest::cuda {

struct CodeLine {
  std::string file;
  std::uint64_t line = 0, column = 0; // 0: not known
  bool operator<(const CodeLine& other) const {
    return std::tie(file, line, column) < std::tie(other.file, other.line, other.column);
  }
};

inline CodeLine code_line(const simulator::cuda::LineOfCode& line) {
  return {.file = line.file, .line = line.line, .column = line.column};
}
// Code of the program: its line or, without debug information, its function ("main+0x1c").
struct CodeOfAuthor {
  CodeLine line{};      // line 0: not known
  std::string function; // empty: not known
};

struct OrderFinding {
  std::string kind;
  CodeLine site, other;
  std::string message;
};

class Order {
public:
  struct Surroundings {
    const Heap& heap;
    // Returns the line of a return address in the program's code, if it has one.
    std::function<std::optional<CodeLine>(const void*)> line_of;
    std::function<void(const OrderFinding&)> report;
    std::function<bool()> is_exact; // no work waits in the queue
    HostWatch::OnAccess on_access;  // calls host_accesses()
  };
  explicit Order(Surroundings surroundings)
      : around_(std::move(surroundings)), host_watch_(around_.on_access) {}

  // Operations, and what they are for people: "kernel 'scale'".
  OperationPtr put(const StreamPlace& stream, const std::string& what);
  OperationPtr put_after(const StreamPlace& stream, Clock before, const std::string& what);
  StreamOperations& operations() { return operations_; }

  // The operation that is done now; null: none. Its accesses are those of access() and launched().
  const OperationPtr& current() const { return current_; }
  OperationPtr begin(OperationPtr operation) { // returns the one in which it begins
    return std::exchange(current_, std::move(operation));
  }
  void end(OperationPtr before) {
    if (current_)
      join(done_, current_->done);
    current_ = std::move(before);
  }
  const OperationPtr& last() const { return last_; } // that was put into a stream
  // The operation has waited for a launch that others have let go on, as only the program knows: it
  // counts as one after all that has been done.
  void comes_late(StreamOperation& operation) const { join(operation.done, done_); }
  void access(const void* begin, std::size_t size, bool writes);
  // Whether host memory took part in accesses since the flag was taken.
  bool take_touched_host() { return std::exchange(touched_host_, false); }
  // `places`: the lines that the ranges have as numbers.
  void launched(const std::vector<CodeLine>& places,
                std::span<const simulator::cuda::AccessedRange> ranges, bool signals);

  // From now on work may run at the same time as other work: a stream, or a graph with branches.
  void will_be_concurrent() { concurrent_ = true; }
  // The host can access memory that kernels access.
  void shares_memory() { shares_ = true; }
  simulator::cuda::AccessesWanted wanted() const;
  // Streams wait for words of memory, by which the program may order anything: nothing is judged.
  void leave_off();

  void host_waits(const Clock& clock);
  void host_waits_for(const StreamPlace& stream);
  void host_waits_for_device(int device);
  void freed(std::uint64_t address, std::size_t size);

  // The host has accessed a protected page at `pc`. False: it is not protected.
  bool host_accesses(const void* at, bool writes, const void* pc);

private:
  bool judges() const { return !left_off_ && (concurrent_ || shares_); }
  std::uint32_t number_of(const CodeLine& line);
  void add(const std::vector<Touched>& touched);
  void watch(const std::vector<Touched>& touched);
  void after_host();
  CodeLine line_of(const StreamOperation& operation, std::uint32_t place);
  std::string name_of(std::uint64_t address) const;
  void report(const OperationPtr& later, const Conflict& conflict);

  Surroundings around_;
  StreamOperations operations_;
  Clock done_; // by operations until now
  Footprints footprints_;
  HostWatch host_watch_;
  OperationPtr current_, last_;
  bool concurrent_ = false, shares_ = false, left_off_ = false, touched_host_ = false;
  std::vector<CodeLine> lines_{{}}; // by number; 0: not known
  std::map<CodeLine, std::uint32_t> numbers_;
};

// Does the following as this operation.
class Doing {
public:
  Doing(Order* order, OperationPtr operation) : order_(order) {
    if (order_)
      before_ = order_->begin(std::move(operation));
  }
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;
  ~Doing() {
    if (order_)
      order_->end(std::move(before_));
  }

private:
  Order* order_;
  OperationPtr before_;
};

} // namespace gputest::cuda

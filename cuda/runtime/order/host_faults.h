// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the check HOST that is about memory: what the program has not freed when it ends, and
// copies that do not fit. The caller of each function holds the state's lock.
#pragma once

#include "cuda/runtime/memory/heap.h"
#include "cuda/runtime/order/order.h"
#include "process/code_place.h"

#include <functional>
#include <map>
#include <string>

namespace gputest::cuda {

using process::Callers;

class HostFaults {
public:
  struct Surroundings {
    const Heap& heap;
    std::function<CodeOfAuthor(const void*)> code_of; // at a return address
    std::function<void(const OrderFinding&)> report;
  };
  explicit HostFaults(Surroundings surroundings) : around_(std::move(surroundings)) {}

  // The program allocates memory that it has to free.
  void allocated(std::uint64_t address) { made_[address] = process::callers_now(); }
  void freed(std::uint64_t address) { made_.erase(address); }
  void freed_all() { made_.clear(); }

  // Work that `callers` have asked for (empty: those of now) does not fit: it touches `size` bytes
  // from `begin` on, which are not all in the allocation of `begin`. `what`: "a copy".
  void does_not_fit(const void* begin, std::size_t size, const std::string& what,
                    const Callers& callers);
  // The same for a variable of the device.
  void does_not_fit(std::size_t variable, std::size_t offset, std::size_t size);

  // The program ends. Reports each line of code that allocated what is still there.
  void end();

private:
  struct Origin {
    CodeLine line{};    // line 0: not known
    std::string text{}; // " at x.cu:12", or " in main+0x1c"; empty: nothing is known
  };
  Origin origin_of(const Callers& callers) const;
  Origin origin_of_allocation(std::uint64_t address) const;

  Surroundings around_;
  std::map<std::uint64_t, Callers> made_; // by address
};

} // namespace gputest::cuda

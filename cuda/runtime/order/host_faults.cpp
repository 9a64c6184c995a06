// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/order/host_faults.h"

namespace gputest::cuda {
namespace {

std::string bytes(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

} // namespace

HostFaults::Origin HostFaults::origin_of(const Callers& callers) const {
  Origin first; // with a function alone
  for (const void* const caller : callers) {
    const CodeOfAuthor code = around_.code_of(caller);
    if (code.line.line != 0)
      return {.line = code.line,
              .text = " at " + code.line.file + ":" + std::to_string(code.line.line)};
    if (first.text.empty() && !code.function.empty())
      first.text = " in " + code.function;
  }
  return first;
}

HostFaults::Origin HostFaults::origin_of_allocation(std::uint64_t address) const {
  const auto made = made_.find(address);
  return made == made_.end() ? Origin() : origin_of(made->second);
}

void HostFaults::does_not_fit(const void* begin, std::size_t size, const std::string& what,
                              const Callers& callers) {
  const Allocation* const allocation = around_.heap.find(begin);
  if (!allocation)
    return;
  const std::size_t offset = reinterpret_cast<std::uint64_t>(begin) - allocation->address;
  const Origin call = origin_of(callers.empty() ? process::callers_now() : callers);
  const Origin made = origin_of_allocation(allocation->address);
  around_.report(
      {.kind = "transfer_size",
       .site = call.line,
       .other = made.line,
       .message = what + (call.line.line == 0 ? call.text : "") + " is of " + bytes(size) +
                  " from byte " + std::to_string(offset) + " on of " + text_of(*allocation) +
                  (made.text.empty() ? "" : ", which were allocated" + made.text) + ": only " +
                  bytes(allocation->size - offset) + " are left there, and nothing is done"});
}

void HostFaults::does_not_fit(std::size_t variable, std::size_t offset, std::size_t size) {
  const Origin call = origin_of(process::callers_now());
  around_.report({.kind = "transfer_size",
                  .site = call.line,
                  .other = {},
                  .message = "a copy" + (call.line.line == 0 ? call.text : "") + " is of " +
                             bytes(size) + " from byte " + std::to_string(offset) +
                             " on of a variable of " + bytes(variable) + ", and nothing is done"});
}

void HostFaults::end() {
  struct Lost {
    Origin origin;
    const Allocation* first = nullptr;
    std::size_t count = 0, bytes = 0;
  };
  std::map<std::string, Lost> all; // by text
  for (const auto& [address, callers] : made_) {
    const Allocation* const allocation = around_.heap.find(reinterpret_cast<const void*>(address));
    if (!allocation)
      continue;
    const Origin origin = origin_of(callers);
    Lost& lost = all[origin.text];
    if (lost.count++ == 0) {
      lost.origin = origin;
      lost.first = allocation;
    }
    lost.bytes += allocation->size;
  }
  for (const auto& [text, lost] : all)
    around_.report(
        {.kind = "leak",
         .site = lost.origin.line,
         .other = {},
         .message = (lost.count == 1 ? text_of(*lost.first)
                                     : std::to_string(lost.count) + " allocations, " +
                                           bytes(lost.bytes) + " in all,") +
                    " that the program has allocated" +
                    (lost.origin.line.line == 0 ? text : " here") +
                    " and not freed when it ends; " +
                    (lost.first->kind == MemoryKind::Host ? "cudaFreeHost()" : "cudaFree()") +
                    " frees them"});
}

} // namespace gputest::cuda

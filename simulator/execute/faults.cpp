// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/faults.h"

#include "ir/words.h"
#include "model/language.h"
#include "model/text/plural.h"
#include "simulator/checks/outside.h"

#include <csignal>
#include <fmt/format.h>

namespace gputest::simulator {
namespace {

// Endless loops are recognised by any of their lines, and the optimiser leaves instructions without
// one. Loops are about as long.
constexpr std::uint64_t kAround = 256; // bytes

// Where the loop is. The simulator's own functions, which check something, may be what runs; they
// return to the loop.
model::CodePlace place_of_loop(const Fault& fault, const LoadedCode& code) {
  model::CodePlace place = code.place_of(fault.instruction, kAround);
  for (const void* const word : fault.top)
    if (place.line == 0 && word)
      place = code.place_of(static_cast<const std::byte*>(word) - 1, kAround);
  return place;
}

std::string place_in(const Region& region, const void* address) {
  const auto offset = static_cast<const std::byte*>(address) - region.begin;
  if (offset < 0)
    return fmt::format("{} before '{}'", model::plural(-offset, "byte"), region.name);
  return fmt::format("byte {} of '{}', which has {}", offset, region.name, region.size);
}

} // namespace

Finding finding_of(const Fault& fault, const LoadedCode& code, const ir::KernelShape& shape,
                   const Arena& arena, const gputest_context& context, double limit) {
  Finding finding;
  finding.fatal = true;
  finding.site =
      fault.signal == SIGPROF ? place_of_loop(fault, code) : code.place_of(fault.instruction);
  const std::string who = fmt::format("a work-item of group ({}, {}, {})", context.group_id[0],
                                      context.group_id[1], context.group_id[2]);
  if (fault.signal == SIGPROF) {
    finding.kind = "endless";
    finding.message =
        fmt::format("the kernel still runs after {}; this is where {} is",
                    fault.counted ? "all steps that it may make" : fmt::format("{} s", limit), who);
  } else if (fault.signal == SIGFPE) {
    finding.kind = "division_by_zero";
    finding.message = fmt::format("{} divides by zero", who);
  } else if (fault.stack) {
    finding.kind = "stack_overflow";
    finding.message = fmt::format("{} has no stack left: its private variables are too large", who);
  } else if (fault.address_known && is_null(fault.address)) {
    finding.kind = "null_pointer";
    // Without checks, a kernel that gets addresses alone has no objects of its arguments.
    const bool knows = model::row_of(shape.language).has_context || code.checks().has("bounds");
    finding.message =
        fmt::format("{} {} through a null pointer{}", who, fault.write ? "writes" : "reads",
                    knows ? null_arguments(shape, context) : "");
  } else {
    const Region* const region = fault.address_known ? arena.near(fault.address) : nullptr;
    finding.kind = "out_of_bounds";
    finding.object = region ? region->name : "";
    finding.message = fmt::format("{} {} {}", who, fault.write ? "writes" : "reads",
                                  region ? place_in(*region, fault.address)
                                         : "memory that belongs to no argument");
  }
  if (finding.site.line == 0) { // the optimiser has merged accesses of several lines
    finding.site = shape.place;
    finding.message += "; the line within the kernel is not known";
    if (fault.signal != SIGPROF && !code.checks().has("bounds"))
      finding.message += ", --check bounds tells it";
  }
  finding.message = ir::in_words_of(shape.language, finding.message);
  return finding;
}

} // namespace gputest::simulator

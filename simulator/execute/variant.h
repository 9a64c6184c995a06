// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes machine code for a kernel and a way to run it.
#pragma once

#include "ir/frontend.h"
#include "ir/kernel.h"
#include "ir/optimise.h"
#include "simulator/checks/checks.h"
#include "simulator/parallel/group_accesses.h"

#include <optional>
#include <string>

namespace gputest::simulator {

// Everything that the code depends on besides the source.
struct CodeVariant {
  std::string kernel;
  bool ordered = false; // runs work-items in an order given at run time
  Checks checks{};
  bool interleaved = false;  // stops at visits (visits.h), without checks
  bool counts_steps = false; // ends after LaunchRequest::steps

  std::string name() const; // unique for each variant
};

struct Code {
  ir::KernelShape shape;
  std::string object; // ELF; defines gputest_group, or gputest_step if interleaved (loader.h)
  // For code made with Effort::Quick: about how many seconds Effort::Full takes.
  std::optional<double> full_seconds;
  double run_seconds = 0; // for such code: how long processes have run it so far
  // With Effort::Full and without checks: what work-groups access.
  std::optional<GroupAccesses> accesses{};
  // With the check of races: the same, of this code (own_objects()).
  std::optional<GroupAccesses> checked_accesses{};
};

// Returns what work-groups access in code without checks, by the objects of `shape`, the shape of
// the same kernel in code with checks. Consumes `module`. Throws what lower() throws.
GroupAccesses accesses_in(llvm::Module& module, const std::string& kernel,
                          const ir::KernelShape& shape);

// Consumes `module`, the compiled source with built-in functions. Uses Effort::Full regardless of
// `effort` if results depend on it, and for interleaved code, which runs very often. Throws what
// lower() throws.
Code make_code(llvm::Module& module, const CodeVariant& variant, ir::Effort effort);

} // namespace gputest::simulator

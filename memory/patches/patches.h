// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes of a kernel's text that help: each was applied, and the changed kernel has run all cases
// with the same results and in fewer cycles.
#pragma once

#include "frontend/source_options.h"
#include "memory/analysis.h"
#include "memory/kernel.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::memory {

struct Patch {
  std::string text;             // "rows of 'tile' padded by one element"
  std::string diff;             // of the kernel's file
  Cycles before = 0, after = 0; // of all cases together
  std::size_t cases = 0;        // that the changed kernel has run
  bool swaps_launch = false;    // launches have to swap their first two sizes and offsets, too

  double gain_percent() const;
};

struct Patches {
  std::vector<Patch> found{};        // the one that helps most first
  std::optional<std::string> note{}; // a sentence about what was not tried, and why
};

// How long changes are tried: no run begins that would end later.
struct PatchTime {
  double seconds = 3;              // of `clock`
  std::function<double()> clock{}; // of processor time, in seconds
};

// The most accesses of work-items in all runs of changed kernels together. With more, no change is
// tried.
constexpr std::uint64_t kMostPatchedAccesses = 8'000'000;

// Returns the best change of each variable, all of them as one patch if that is better, and the
// swapped ids. `launches` and `reports`: the cases, in one order. A changed kernel that cannot be
// compiled, fails, leaves an object, or leaves other results is dropped, and so is one that does
// not save kLeastGain percent, or that makes a case slower by as much. Throws SimulatorFailure.
Patches verified_patches(const Gpu& gpu, const frontend::SourceOptions& source,
                         const Kernel& kernel, const Tracer& tracer,
                         std::span<const NamedLaunch> launches, std::span<const CaseReport> reports,
                         const PatchTime& time);

// Returns what the patch does, what it saves, and its diff.
std::string patch_text(const Patch& patch);

} // namespace gputest::memory

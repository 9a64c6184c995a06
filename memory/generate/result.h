// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results in memory.json (docs/reference/formats.md).
#pragma once

#include "memory/analysis.h"
#include "memory/generate/generate.h"
#include "memory/patches/patches.h"
#include "model/memory/results.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gputest::memory {

struct Generation {
  GenerateSettings settings;
  Generated found;
  std::vector<std::pair<Strategy, Generated>> compared{}; // other strategies with the same budget
                                                          // and seed
};

struct KernelReport {
  std::optional<Generation> generation{}; // nullopt: none was asked for
  std::string kernel, source;             // source: the file
  std::string gpu;
  std::vector<CaseReport> cases; // at least one
  Patches patches{};
  std::vector<std::string> missed{}; // messages about limits that do not hold
  std::string content{};             // shards: the content that they are part of

  // The case that loses the largest part of its cycles.
  const CaseReport& worst() const;
};

// Counts references as explored that a case or a test of the generation has executed.
ReferenceCoverage coverage_of(const KernelReport& report);

model::MemoryResults results_of(const KernelReport& report);

} // namespace gputest::memory

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/generate/result.h"

#include "memory/json.h"

#include <algorithm>

namespace gputest::memory {
namespace {

model::MemoryGeneration generation_of(const Generation& generation) {
  const Generated& found = generation.found;
  model::MemoryGeneration result{
      {std::string(name_of(generation.settings.strategy)), found.progress}};
  result.seed = generation.settings.seed;
  result.budget = generation.settings.seconds;
  result.seconds = found.seconds;
  result.executions = found.executions;
  result.states = found.states;
  result.solved = found.solved;
  result.faulty = found.faulty;
  if (!found.note.empty())
    result.note = found.note;
  for (const auto& [strategy, other] : generation.compared)
    result.compared.push_back(
        {.strategy = std::string(name_of(strategy)), .progress = other.progress});
  return result;
}

} // namespace

ReferenceCoverage coverage_of(const KernelReport& report) {
  return coverage_of(report.cases,
                     report.generation ? report.generation->found.run : std::vector<bool>());
}

const CaseReport& KernelReport::worst() const {
  return *std::ranges::max_element(cases, {}, &CaseReport::overhead_percent);
}

model::MemoryResults results_of(const KernelReport& report) {
  const ReferenceCoverage coverage = coverage_of(report);
  const CaseReport& worst = report.worst();
  model::MemoryResults results{.kernel = report.kernel,
                               .source = report.source,
                               .gpu = report.gpu,
                               .schedule = std::string(model::name_of(worst.choice.kind)),
                               .seed = worst.choice.seed,
                               .cycles = worst.count.cycles,
                               .overhead_percent = worst.overhead_percent(),
                               .coverage = {.explored = coverage.explored, .total = coverage.total},
                               .missed = report.missed,
                               .content = report.content};
  for (const Patch& patch : report.patches.found)
    results.patches.push_back({.text = patch.text,
                               .diff = patch.diff,
                               .cycles_before = patch.before,
                               .cycles = patch.after,
                               .cases = patch.cases,
                               .swaps_launch = patch.swaps_launch,
                               .gain_percent = patch.gain_percent()});
  for (const CaseReport& one : report.cases)
    results.cases.push_back(results_of(one));
  if (report.generation) {
    results.generation = generation_of(*report.generation);
    results.strategy = results.generation->strategy;
    if (!report.content.empty()) // for the run of the whole
      results.generation->run = report.generation->found.run;
  }
  return results;
}

} // namespace gputest::memory

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/worker.h"

#include "runtime/analyses/mutation/original_runner.h"
#include "runtime/analyses/mutation/trial_runner.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {

void work_on_mutants(const MutationJob& job, const WorkerChannel& channel, std::size_t first) {
  const std::size_t cases = job.plan.cases.size();
  std::optional<OriginalRunner> original;
  std::optional<TrialRunner> trials;
  const auto begin = [&](bool quick) {
    trials.reset();
    original.emplace(job, channel, first, quick);
    trials.emplace(job, channel, *original);
    if (first >= cases)
      original->load_baseline();
    if (!job.lost.empty())
      trials->take_loss();
    return first < cases ? original->run_baseline() : OriginalState::Sound;
  };
  const auto begin_quickly = [&] {
    try {
      return begin(!job.builds.optimised);
    } catch (const BuildError&) {
      if (job.builds.optimised)
        throw;
      return OriginalState::NotQuick;
    }
  };
  try {
    OriginalState state = begin_quickly();
    if (state == OriginalState::NotQuick)
      state = begin(false);
    if (state == OriginalState::Unsound)
      return;
  } catch (const DeviceError& error) {
    if (job.lost.empty())
      throw;
    throw DeviceError(fmt::format("the device cannot be used any more after mutant '{}': {}\nAll "
                                  "outcomes before that are stored: run again to go on",
                                  job.lost.back().outcome.mutant, error.what()));
  }
  trials->run_items(std::max(first, cases) - cases);
}

} // namespace gputest::runtime

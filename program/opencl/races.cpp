// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/races.h"

#include "model/checks/finding.h"
#include "program/mutation.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::program {

namespace fs = std::filesystem;

OpenClRaces::OpenClRaces(const OpenClMutation& settings, RunSettings run, double timeout)
    : settings_(settings), run_(std::move(run)), timeout_(timeout) {
  constexpr double kFactor = 10; // the simulator takes time
  timeout_ *= kFactor;
  run_.keep_reads.clear();
  run_.order = 0;
  if (!run_.simulator)
    run_.simulator = runtime::SimulatedProgram{settings.judge, {}};
  run_.simulator->simulation.checks = {"races"};
  run_.simulator->simulation.limit = timeout_;
}

OpenClRaces::Checked OpenClRaces::check(const std::string& mutant) const {
  const fs::path folder = folder_of_mutants(settings_.run_folder.parent_path()) / "races";
  ChildSettings child = child_in(settings_, folder);
  child.environment["GPUTEST_MUTANT"] = mutant;
  child.timeout = timeout_;
  Checked checked;
  checked.result = run_recorded(child, folder, run_);
  for (const RecordedSimulation& launch : read_run_folder(folder).simulated)
    for (const model::Finding& finding : launch.findings)
      if (finding.kind == "race")
        checked.races.push_back(finding);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return checked;
}

std::optional<std::string> OpenClRaces::race_of(const std::string& mutant) {
  if (!known_ && problem_.empty()) {
    const Checked original = check("");
    if (original.result.timed_out)
      problem_ = fmt::format("in the simulator the program is {}", original.result.text());
    known_.emplace();
    for (const model::Finding& race : original.races)
      known_->insert(pair_of(race));
  }
  if (!problem_.empty())
    return std::nullopt;
  for (const model::Finding& race : check(mutant).races)
    if (!known_->contains(pair_of(race)))
      return fmt::format("in the simulator: {}:{}: {}", race.site.file, race.site.line,
                         race.message);
  return std::nullopt;
}

} // namespace gputest::program

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/survivor_races.h"

#include "process/undisturbed.h"

#include <fmt/format.h>

namespace gputest::program {

namespace fs = std::filesystem;

std::vector<model::Finding> SurvivorRaces::races(const MutantTrial* trial) {
  const ChildResult result = process::run_undisturbed(
      name_, lost_, [&] { return program_.child_for_races(trial, folder_); });
  if (!trial && result.timed_out)
    problem_ = fmt::format("in the simulator the program is {}", result.text());
  std::vector<model::Finding> found = program_.findings_in(folder_);
  std::erase_if(found, [](const model::Finding& finding) { return finding.kind != "race"; });
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  return found;
}

std::optional<std::string> SurvivorRaces::race_of(const MutantTrial& trial) {
  if (!known_) {
    std::set<std::string> known;
    for (const model::Finding& race : races(nullptr))
      known.insert(pair_of(race));
    known_ = std::move(known);
  }
  if (!problem_.empty())
    return std::nullopt;
  for (const model::Finding& race : races(&trial))
    if (!known_->contains(pair_of(race)))
      return fmt::format("in the simulator: {}:{}: {}", race.site.file, race.site.line,
                         race.message);
  return std::nullopt;
}

} // namespace gputest::program

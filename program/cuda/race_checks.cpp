// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/race_checks.h"

#include "process/undisturbed.h"
#include "program/cuda/findings.h"

#include <fmt/format.h>

namespace gputest::program {

std::vector<model::Finding> RaceChecks::races(const std::string& mutant) const {
  constexpr double kFactor = 10; // the check takes time
  const std::filesystem::path findings = folder_ / "findings.jsonl";
  process::run_undisturbed(name_, folder_ / "simulator-lost", [&] {
    ChildSettings child = child_(mutant, folder_); // which empties the folder
    child.environment["GPUTEST_CUDA_CHECKS"] = "races";
    child.environment["GPUTEST_CUDA_FINDINGS"] = findings.string();
    child.timeout *= kFactor;
    return child;
  });
  std::vector<model::Finding> found = read_cuda_findings(findings).findings;
  std::erase_if(found, [](const model::Finding& finding) { return finding.kind != "race"; });
  std::filesystem::remove_all(folder_);
  return found;
}

std::optional<std::string> RaceChecks::race_of(const std::string& mutant) {
  if (!known_) {
    known_.emplace();
    for (const model::Finding& finding : races(""))
      known_->insert(pair_of(finding));
  }
  for (const model::Finding& finding : races(mutant))
    if (!known_->contains(pair_of(finding)))
      return fmt::format("in the simulator: {}:{}: {}", finding.site.file, finding.site.line,
                         finding.message);
  return std::nullopt;
}

} // namespace gputest::program

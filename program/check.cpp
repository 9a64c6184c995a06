// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/check.h"

#include "model/analyses.h"
#include "model/checks/finding_groups.h"
#include "model/suppressions/suppressions.h"
#include "program/check_replay.h"
#include "program/kind.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;

void add(KernelChecks& kernel, const CheckedLaunch& launch, const FindingKey& key) {
  kernel.of_host = launch.of_host;
  kernel.launches += launch.launches;
  kernel.seconds += launch.seconds;
  for (const model::Finding& finding : launch.findings) {
    const auto known =
        std::ranges::find(kernel.findings, key(finding),
                          [&](const LaunchFinding& other) { return key(other.finding); });
    if (known == kernel.findings.end()) {
      kernel.findings.push_back({finding, launch.number, launch.sizes});
    } else if (absorb(known->finding, finding)) {
      known->launch = launch.number;
      known->sizes = launch.sizes;
    }
  }
}

// Removes old files, which must not pass for results of this run.
void remove_old_checks(const fs::path& output) {
  const auto remove_in = [](const fs::path& folder) {
    fs::remove(folder / model::result_file_of("check"));
    fs::remove_all(folder / "check");
  };
  remove_in(output);
  for (const auto& entry : fs::directory_iterator(output))
    if (entry.is_directory())
      remove_in(entry.path());
}

// Returns whether there is a file for the finding.
bool write_replay(const TestedProgram& program, const std::vector<std::string>& checks,
                  const KernelChecks& kernel, const model::Finding& finding, const fs::path& file) {
  CheckReplay replay{.kind = "", // it says so itself
                     .name = program.task().name,
                     .kernel = kernel.folder,
                     .directory = fs::current_path().string(),
                     .source_root = program.task().source_root.string(),
                     .command = program.task().child.command,
                     .finding = finding,
                     .checks = checks};
  if (kernel.of_host || !program.add_to_replay(replay))
    return false;
  write_check_replay(replay, file);
  return true;
}

} // namespace

std::string check_replay_file(std::size_t index) {
  return fmt::format("check/{}.json", index + 1);
}

std::vector<KernelChecks> sorted_by_kernel(const std::vector<CheckedLaunch>& launches,
                                           const SuppressedIn& suppressed, const FindingKey& key) {
  std::map<std::string, KernelChecks> kernels;
  for (const CheckedLaunch& launch : launches) {
    KernelChecks& kernel = kernels[launch.folder];
    kernel.folder = launch.folder;
    kernel.kernel = launch.kernel;
    kernel.source = launch.source;
    add(kernel, launch, key);
  }
  std::vector<KernelChecks> all;
  for (auto& [folder, kernel] : kernels) {
    std::erase_if(kernel.findings, [&](LaunchFinding& found) {
      const auto by = suppressed ? suppressed(found.finding, kernel.kernel) : std::nullopt;
      if (by)
        kernel.suppressed.push_back({std::move(found), *by});
      return by.has_value();
    });
    model::FindingGroups groups;
    for (LaunchFinding& found : kernel.findings)
      found.leads = groups.leads(found.finding);
    kernel.notes = groups.notes();
    all.push_back(std::move(kernel));
  }
  return all;
}

CheckRun run_checks(TestedProgram& program, const std::vector<std::string>& checks,
                    model::Suppressions& suppressions) {
  const ProgramTask& task = program.task();
  remove_old_checks(task.output);
  CheckRun run{.judged = run_judged(task, [&](const ChildSettings& child) {
                 return program.run_for_checks(child, checks);
               })};
  run.recorded = program.read_checks(run.judged);
  run.kernels = sorted_by_kernel(
      run.recorded.launches,
      [&](const model::Finding& finding, const std::string& kernel) {
        return suppressions.of(finding, task.name, kernel);
      },
      [&](const model::Finding& finding) { return program.key_of(finding); });
  for (const KernelChecks& kernel : run.kernels) {
    run.launches += kernel.launches;
    run.findings += kernel.findings.size();
    run.suppressed += kernel.suppressed.size();
    const fs::path folder = task.output / kernel.folder;
    model::CheckResults results{
        .name = task.name,
        .kernel = kernel.kernel,
        .source = kernel.source,
        .checks = checks,
        .cases = {{.name = task.name,
                   .verdict = run.judged.passes() ? model::CaseVerdict::Passed
                                                  : model::CaseVerdict::Failed,
                   .message = run.judged.problem,
                   .seconds = kernel.seconds,
                   .launches = kernel.launches,
                   .findings = kernel.findings.size()}},
        .suppressions = suppressions.file()};
    for (std::size_t i = 0; i < kernel.findings.size(); ++i) {
      const LaunchFinding& found = kernel.findings[i];
      const std::string replay = check_replay_file(i);
      results.findings.push_back(
          {.finding = found.finding,
           .cases = {task.name},
           .launch = found.launch,
           .replay = write_replay(program, checks, kernel, found.finding, folder / replay) ? replay
                                                                                           : ""});
    }
    for (const auto& [found, by] : kernel.suppressed)
      results.suppressed.push_back(
          {{.finding = found.finding, .cases = {task.name}, .launch = found.launch}, by});
    fs::create_directories(folder);
    run.files.push_back(folder / model::result_file_of("check"));
    write_check_results(results, run.files.back());
  }
  return run;
}

} // namespace gputest::program

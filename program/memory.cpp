// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/memory.h"

#include "model/analyses.h"
#include "process/command.h"
#include "program/kind.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;

constexpr int kFailed = 1; // the exit code of `gputest memory` where a limit does not hold

// Removes old files, which must not pass for results of this run.
void remove_old_memory(const fs::path& output) {
  fs::remove_all(output / "launches");
  for (const auto& entry : fs::directory_iterator(output))
    if (entry.is_directory()) {
      fs::remove(entry.path() / model::result_file_of("memory"));
      fs::remove_all(entry.path() / "memory");
    }
}

// Writes the results to the file. Returns why the kernel cannot be modelled, if so.
std::optional<std::string> problem_of(const ProgramTask& task, const KeptKernel& kernel,
                                      const MemorySettings& settings, const fs::path& file) {
  std::vector<std::string> words{task.files.own.string(), "memory"};
  words.insert(words.end(), kernel.words.begin(), kernel.words.end());
  words.insert(words.end(), settings.options.begin(), settings.options.end());
  words.insert(words.end(),
               {"--replays", (file.parent_path() / "memory").string(), "--json", file.string()});
  const process::CommandResult ran = process::run_command(words);
  if (fs::exists(file) && (ran.exit_code == 0 || ran.exit_code == kFailed))
    return std::nullopt;
  const std::size_t end = ran.output.find_last_not_of('\n');
  return end == std::string::npos ? fmt::format("gputest memory ended with {}", ran.exit_code)
                                  : ran.output.substr(0, end + 1);
}

std::uint64_t most_cycles(const model::MemoryResults& results) {
  std::uint64_t most = 0;
  for (const model::MemoryCase& one : results.cases)
    most = std::max(most, one.cycles);
  return most;
}

} // namespace

MemoryRun run_memory(TestedProgram& program, LaunchKeeper& keeper, const MemorySettings& settings) {
  const ProgramTask& task = program.task();
  remove_old_memory(task.output);
  const auto file_of = [&](const std::string& folder) {
    return task.output / folder / model::result_file_of("memory");
  };
  MemoryRun run{.judged = run_judged(
                    task, [&](const ChildSettings& child) { return keeper.run(child, settings); })};
  run.recorded = keeper.read(run.judged, task.output / "launches");
  std::vector<NotMeasured> problems;
  for (const KeptKernel& kernel : run.recorded.kernels) {
    const fs::path file = file_of(kernel.folder);
    fs::create_directories(file.parent_path());
    if (const auto problem = problem_of(task, kernel, settings, file))
      problems.push_back({"", kernel.folder, *problem});
    else
      run.kernels.push_back({kernel.folder, model::read_memory_results(file)});
  }
  // A wrong setting is said once, and not for each kernel.
  if (run.kernels.empty() && problems.size() > 1 &&
      std::ranges::all_of(
          problems, [&](const NotMeasured& one) { return one.reason == problems.front().reason; }))
    problems = {{"", "", problems.front().reason}};
  std::ranges::move(problems, std::back_inserter(run.recorded.not_measured));
  std::ranges::stable_sort(run.kernels, std::greater{},
                           [](const KernelMemory& kernel) { return most_cycles(kernel.results); });
  for (const KernelMemory& kernel : run.kernels)
    run.files.push_back(file_of(kernel.folder));
  return run;
}

} // namespace gputest::program

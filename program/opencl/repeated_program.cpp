// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/repeated_program.h"

#include "model/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace gputest::program {

ChildSettings child_in(const RepeatedProgram& program, const std::filesystem::path& folder) {
  ChildSettings child = program.child;
  child.environment["GPUTEST_RUN"] = folder.string();
  child.output = folder / "output.txt";
  return child;
}

std::string output_of(const ChildSettings& child) {
  return model::read_text(child.output).value_or("");
}

UnchangedRuns run_unchanged(const RepeatedProgram& program, const RunSettings& run,
                            const ChildSettings& child, ReadBaseline& reads, ProgramOracle& oracle,
                            const std::function<void(const RunRecords&, bool first)>& look) {
  UnchangedRuns result;
  std::vector<double> seconds;
  constexpr unsigned kUsual = 3;
  for (unsigned i = 0; i < oracle.baseline(std::max(2u, program.baseline.value_or(kUsual))); ++i) {
    const ChildResult ended = run_recorded(child, program.run_folder, run);
    RunRecords records = read_run_folder(program.run_folder);
    ++result.runs;
    if (records.states.empty() && is_skipped(ended, records)) {
      result.skipped = true;
      return result;
    }
    if (const std::string problem = oracle.add_original(ended, output_of(child)); !problem.empty())
      throw PlainRunFailed(
          fmt::format("{}; see {}", clause_of(problem, ended), child.output.string()));
    look(records, i == 0);
    reads.add(records.reads);
    seconds.push_back(ended.seconds);
    result.last = ended;
    result.last_records = std::move(records);
  }
  if (const std::string problem = oracle.problem(); !problem.empty())
    throw PlainRunFailed(problem);
  result.first_seconds = seconds.front();
  std::ranges::sort(seconds);
  result.seconds = seconds[(seconds.size() - 1) / 2];
  return result;
}

} // namespace gputest::program

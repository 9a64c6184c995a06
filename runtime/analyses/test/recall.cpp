// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/test/recall.h"

#include "model/coverage.h"
#include "model/files.h"
#include "process/scratch_folder.h"
#include "runtime/analyses/test/run.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <sstream>
#include <vector>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

// Returns the records of the last run that are of what there is now; nullopt: of another state.
std::optional<std::vector<model::CaseRecord>> last_run(const Plan& plan) {
  std::error_code missing;
  const auto written = fs::last_write_time(plan.log(), missing);
  if (missing)
    return std::nullopt;
  std::vector<fs::path> inputs{"/proc/self/exe", plan.source};
  for (const TestCase& test_case : plan.cases)
    if (!test_case.file.empty())
      inputs.push_back(test_case.file);
  for (const fs::path& input : inputs)
    if (const auto changed = fs::last_write_time(input, missing); missing || changed > written)
      return std::nullopt;
  std::vector<model::CaseRecord> records;
  std::istringstream lines(model::read_text(plan.log()).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) // the run may have been killed in the middle of a line
      continue;
    if (const auto verdict = model::named<model::CaseVerdict>(json.value("verdict", "")))
      records.push_back({json.value("name", ""), *verdict, json.value("message", ""),
                         json.value("seconds", 0.0)});
  }
  return records;
}

} // namespace

int recall(const Plan& plan, const KernelDescription& description) {
  const auto records = last_run(plan);
  std::vector<const model::CaseRecord*> found;
  for (const TestCase& test_case : plan.cases)
    if (records)
      if (const auto record = std::ranges::find(*records, test_case.name, &model::CaseRecord::name);
          record != records->end())
        found.push_back(&*record);
  if (found.size() != plan.cases.size()) {
    const process::ScratchFolder scratch; // the result is that of all cases
    Plan alone = plan;
    alone.result = scratch.path() / plan.result.filename();
    return run_plan(alone, description);
  }
  int exit_code = 0;
  for (const model::CaseRecord* const record : found) {
    fmt::print("{}: {} ({:.3f} s, in the run of all cases)\n", model::name_of(record->verdict),
               record->name, record->seconds);
    if (!record->message.empty())
      fmt::print("  {}\n", record->message);
    using model::CaseVerdict;
    const int own = record->verdict == CaseVerdict::Passed  ? 0
                    : record->verdict == CaseVerdict::Error ? 3
                                                            : 1;
    if (exit_code != 1) // as run_plan() does
      exit_code = own == 1 ? 1 : std::max(exit_code, own);
  }
  return exit_code;
}

} // namespace gputest::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/mutant_run.h"

#include "runtime/variants/mutation_state.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::program {
namespace {

using model::KillReason;
using model::Verdict;

std::optional<runtime::MutantNotice> notice_of(const RunRecords& records, MutantTables& tables) {
  for (const RecordedState& recorded : records.states) {
    const auto state = read_state_file(recorded.file);
    if (!state)
      continue;
    const auto header = std::span(state->bytes).first(runtime::kStateHeaderBytes);
    if (auto notice = runtime::read_notice(header, table_of(tables, recorded.variant)))
      return notice;
  }
  return std::nullopt;
}

} // namespace

const model::MutantTable& table_of(MutantTables& tables, const std::filesystem::path& folder) {
  const auto known = tables.find(folder);
  if (known != tables.end())
    return known->second;
  return tables[folder] = model::read_mutant_table(folder / "mutants.json");
}

RunVerdict judge(const model::Mutant& mutant, const MutantRun& run, const RunRecords& records,
                 const ProgramOracle& oracle, MutantTables& tables) {
  const ChildResult& result = run.result;
  if (mutant.kind == model::MutantKind::Program && records.states.empty() &&
      !records.not_measured.empty())
    return {Verdict::CompileError, std::nullopt, records.not_measured.front().reason};
  const std::string noticed =
      result.succeeded() ? "the program did not notice" : "the program: " + result.text();
  if (const auto notice = notice_of(records, tables))
    return {Verdict::Killed, notice->reason, notice->detail + "; " + noticed};
  if (result.timed_out)
    return {Verdict::Timeout, std::nullopt, result.text()};
  if (result.by_others())
    return {Verdict::Undecided, std::nullopt,
            fmt::format("{}, {} times in a row, by somebody else or for want of memory",
                        result.text(), process::kTries)};
  RunVerdict verdict = oracle.judge(result, run.output, run.difference);
  if (verdict.reason == KillReason::ProgramFailed)
    verdict.detail +=
        run.difference.empty() ? "; what it reads back is the same" : "; " + run.difference;
  else if (verdict.verdict == Verdict::Survived && run.difference.empty())
    verdict.detail = kNothingDiffers;
  return verdict;
}

} // namespace gputest::program

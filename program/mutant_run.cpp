#include "program/mutant_run.h"

#include "runtime/mutation_state.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace gputest::program {
namespace {

using model::KillReason;
using model::Verdict;

std::string ordinal(std::size_t number) {
  const std::size_t last = number % 10, tens = number / 10 % 10;
  return fmt::format("{}{}", number,
                     tens == 1   ? "th"
                     : last == 1 ? "st"
                     : last == 2 ? "nd"
                     : last == 3 ? "rd"
                                 : "th");
}

std::optional<runtime::MutantNotice> notice_of(const RunRecords& records, MutantTables& tables,
                                               const std::map<std::string, std::uint32_t>& budgets,
                                               const model::Mutant& mutant) {
  for (const RecordedState& recorded : records.states) {
    const auto state = read_mutant_state(recorded.file);
    if (!state)
      continue;
    runtime::MutantControl control{.active = mutant.number};
    for (const auto& [kernel, budget] : budgets)
      if (kernel.ends_with("." + recorded.kernel))
        control.budget = budget;
    const auto header = std::span(state->bytes).first(runtime::kStateHeaderBytes);
    if (auto notice = runtime::read_notice(header, table_of(tables, recorded.variant), control))
      return notice;
  }
  return std::nullopt;
}

} // namespace

void ReadBaseline::add(const std::vector<std::vector<std::uint64_t>>& reads) {
  if (std::exchange(is_first_, false)) {
    for (const auto& of_process : reads)
      pieces_.emplace_back(of_process.begin(), of_process.end());
    varies_in_number_.assign(pieces_.size(), false);
    return;
  }
  varies_in_processes_ = varies_in_processes_ || reads.size() != pieces_.size();
  for (std::size_t i = 0; i < std::min(reads.size(), pieces_.size()); ++i) {
    varies_in_number_[i] = varies_in_number_[i] || reads[i].size() != pieces_[i].size();
    for (std::size_t k = 0; k < std::min(reads[i].size(), pieces_[i].size()); ++k)
      if (pieces_[i][k] != reads[i][k])
        pieces_[i][k] = std::nullopt;
  }
}

std::size_t ReadBaseline::count() const {
  std::size_t count = 0;
  for (const auto& of_process : pieces_)
    count += of_process.size();
  return count;
}

std::size_t ReadBaseline::varying() const {
  std::size_t count = 0;
  for (const auto& of_process : pieces_)
    count += static_cast<std::size_t>(
        std::ranges::count_if(of_process, [](const auto& piece) { return !piece.has_value(); }));
  return count;
}

std::string ReadBaseline::difference(const std::vector<std::vector<std::uint64_t>>& reads) const {
  if (varies_in_processes_)
    return "";
  if (reads.size() != pieces_.size())
    return fmt::format("{} processes use OpenCL instead of {}", reads.size(), pieces_.size());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::string process = pieces_.size() > 1 ? fmt::format("process {}", i + 1) : "it";
    for (std::size_t k = 0; k < std::min(reads[i].size(), pieces_[i].size()); ++k)
      if (pieces_[i][k] && *pieces_[i][k] != reads[i][k])
        return fmt::format("the {} of {} pieces that {} reads back differs", ordinal(k + 1),
                           pieces_[i].size(), process);
    if (reads[i].size() != pieces_[i].size() && !varies_in_number_[i])
      return fmt::format("{} reads back {} pieces instead of {}", process, reads[i].size(),
                         pieces_[i].size());
  }
  return "";
}

const model::MutantTable& table_of(MutantTables& tables, const std::filesystem::path& folder) {
  const auto known = tables.find(folder);
  if (known != tables.end())
    return known->second;
  return tables[folder] = model::read_mutant_table(folder / "mutants.json");
}

std::optional<MutantState> read_mutant_state(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  MutantState state;
  if (bytes.size() < runtime::kStateHeaderBytes + sizeof state.launches)
    return std::nullopt; // the process died while it made the file
  state.bytes.resize(bytes.size() - sizeof state.launches);
  std::memcpy(state.bytes.data(), bytes.data(), state.bytes.size());
  std::memcpy(&state.launches, bytes.data() + state.bytes.size(), sizeof state.launches);
  return state;
}

RunVerdict judge(const model::Mutant& mutant, const ChildResult& result, const RunRecords& records,
                 const std::map<std::string, std::uint32_t>& budgets, const ReadBaseline& reads,
                 MutantTables& tables) {
  if (mutant.kind == model::MutantKind::Program && records.states.empty() &&
      !records.not_measured.empty())
    return {Verdict::CompileError, std::nullopt, records.not_measured.front().reason};
  const std::string noticed =
      result.succeeded() ? "the program did not notice" : "the program: " + result.text();
  if (const auto notice = notice_of(records, tables, budgets, mutant))
    return {Verdict::Killed, notice->reason, notice->detail + "; " + noticed};
  if (result.timed_out)
    return {Verdict::Timeout, std::nullopt, result.text()};
  const std::string difference = reads.difference(records.reads);
  if (result.signal != 0)
    return {Verdict::Killed, KillReason::Crash, result.text()};
  if (result.exit_code != 0)
    return {Verdict::Killed, KillReason::ProgramFailed,
            result.text() +
                (difference.empty() ? "; what it reads back is the same" : "; " + difference)};
  if (difference.empty())
    return {Verdict::Survived, std::nullopt, "what the program reads back is the same"};
  return {Verdict::Survived, std::nullopt,
          std::string(kWeakOracle) + difference + ", and it does not notice"};
}

} // namespace gputest::program

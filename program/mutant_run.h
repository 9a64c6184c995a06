// What one run of the program with a mutant shows.
#pragma once

#include "model/mutation.h"
#include "program/child.h"
#include "program/run_folder.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::program {

// Hashes of what was read back (RunRecords::reads), as runs without a mutant have them.
class ReadBaseline {
public:
  // Of each run without a mutant. The first must have come before.
  void add(const std::vector<std::vector<std::uint64_t>>& reads);

  std::size_t count() const;   // pieces
  std::size_t varying() const; // of these, those that are not the same in all runs

  // "the 3rd of 7 pieces that process 1 read back differs"; empty: nothing that does not vary by
  // itself.
  std::string difference(const std::vector<std::vector<std::uint64_t>>& reads) const;

private:
  // By process. nullopt: varies by itself.
  std::vector<std::vector<std::optional<std::uint64_t>>> pieces_;
  std::vector<bool> varies_in_number_; // by process: how many pieces there are
  bool varies_in_processes_ = false, is_first_ = true;
};

// The tables of the variants that were used, by folder.
using MutantTables = std::map<std::filesystem::path, model::MutantTable>;

// Reads the mutants.json of `folder`, once.
const model::MutantTable& table_of(MutantTables& tables, const std::filesystem::path& folder);

// The state of a launch of mutants, nullopt where there is none to read.
struct MutantState {
  std::vector<std::byte> bytes;
  std::uint64_t launches = 0;
};
std::optional<MutantState> read_mutant_state(const std::filesystem::path& file);

// What the run says of `mutant`: verdict, reason, detail. The detail of a survivor whose results
// differ begins with kWeakOracle.
inline constexpr std::string_view kWeakOracle = "weak oracle: ";
struct RunVerdict {
  model::Verdict verdict = model::Verdict::Survived;
  std::optional<model::KillReason> reason;
  std::string detail;
};
RunVerdict judge(const model::Mutant& mutant, const ChildResult& result, const RunRecords& records,
                 const std::map<std::string, std::uint32_t>& budgets, const ReadBaseline& reads,
                 MutantTables& tables);

} // namespace gputest::program

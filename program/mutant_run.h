// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges one run of the program with a mutant.
#pragma once

#include "model/mutation/mutation.h"
#include "program/child.h"
#include "program/read_baseline.h"
#include "program/run_folder.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace gputest::program {

// The tables of the variants that were used, by folder.
using MutantTables = std::map<std::filesystem::path, model::MutantTable>;

// Reads the mutants.json of `folder`, once.
const model::MutantTable& table_of(MutantTables& tables, const std::filesystem::path& folder);

// The verdict of a run with a mutant, which judge() returns. The detail of a survivor whose results
// differ begins with kWeakOracle.
inline constexpr std::string_view kWeakOracle = "weak oracle: ";
inline constexpr std::string_view kNothingDiffers = "what the program reads back is the same";
struct RunVerdict {
  model::Verdict verdict = model::Verdict::Survived;
  std::optional<model::KillReason> reason;
  std::string detail;
};
RunVerdict judge(const model::Mutant& mutant, const ChildResult& result, const RunRecords& records,
                 const ReadBaseline& reads, MutantTables& tables);

} // namespace gputest::program

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges one run of the program with a mutant.
#pragma once

#include "model/mutation/mutation.h"
#include "program/child.h"
#include "program/opencl/run_folder.h"
#include "program/oracle.h"
#include "program/read_baseline.h"

#include <filesystem>
#include <map>
#include <string>

namespace gputest::program {

// The tables of the variants that were used, by folder.
using MutantTables = std::map<std::filesystem::path, model::MutantTable>;

// Reads the mutants.json of `folder`, once.
const model::MutantTable& table_of(MutantTables& tables, const std::filesystem::path& folder);

inline constexpr std::string_view kNothingDiffers = "what the program reads back is the same";

// What is known of a run with a mutant.
struct MutantRun {
  ChildResult result;
  std::string output;     // what the program printed
  std::string difference; // how what it read back differs; empty: it does not
};
RunVerdict judge(const model::Mutant& mutant, const MutantRun& run, const RunRecords& records,
                 const ProgramOracle& oracle, MutantTables& tables);

} // namespace gputest::program

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares survivors of CUDA sources that have too many mutants to compare all of them.
#pragma once

#include "model/mutation/mutants.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace gputest::program {

// Returns the mutants with these ids, compared with the original and with each other, by the
// sources' folders. `passes`: the file of
// gputest-passes. `scratch`: a folder for files that may be removed afterwards. If a source
// cannot be compared, its table has a note in `not_mutated`.
std::map<std::filesystem::path, model::MutantTable>
compare_mutants_of(const std::map<std::filesystem::path, std::set<std::string>>& ids,
                   const std::filesystem::path& passes, const std::filesystem::path& scratch);

} // namespace gputest::program

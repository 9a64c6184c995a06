// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads mutation.json files, and merges the parts of each kernel.
#pragma once

#include "model/coverage.h"
#include "model/mutation/mutation.h"
#include "model/mutation/places.h"
#include "report/common/label.h"
#include "report/common/source.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gputest::report {

struct MutationReport {
  std::string title;
  std::vector<model::Mutation> kernels; // in order of name
};

// Reads the files. Files about the same kernel under the same name are parts of one result. An
// empty title is replaced by one made of the kernels' names. Throws FormatError if a file cannot be
// read or does not have the format.
MutationReport read_mutation_report(const std::vector<std::filesystem::path>& files,
                                    std::string title);
MutationReport make_mutation_report(std::vector<model::Mutation> parts, std::string title);

// Adds the texts of files with mutants, if mutation.json lacks them.
void add_sources(MutationReport& report, const SourceTree& sources);

// Returns the tally over all kernels. A mutant of code that two kernels share counts for each of
// them.
model::Tallies tally(const MutationReport& report);

// Returns the detected and the scored mutants, which make the score.
model::Tally score_of(const model::Tallies& tallies);

// Returns the number of mutants that are equivalent, duplicate, ignored or not compiled.
// Those that a time limit left out are counted apart.
std::uint64_t not_scored(const model::Tallies& tallies);

// Returns a sentence for each program whose test has no oracle (model::lacks_oracle).
std::vector<std::string> without_oracle(const MutationReport& report);

// A mutant, its result, and the place at which it is shown.
struct Entry {
  const model::Mutation* kernel = nullptr;
  const model::MutantResult* result = nullptr;
  model::Places::Place place;
};

// Returns the mutants in order of file, line and column. The result points into `report`.
std::vector<Entry> entries_of(const MutationReport& report);

// Returns the mutants that count and that no test notices, in the order of `entries`. Each stands
// alone, but several mutants of one expression are together if all of them that count survived.
std::vector<std::vector<const Entry*>> unnoticed(std::span<const Entry* const> entries);

// "a, b: 'i < n' → 'i <= n' survived", or "a, b: 'i < n': each of 3 mutants survived".
struct Told {
  // Not escaped; texts of at most `width` code points.
  std::string operators, before, after, outcome;
  std::size_t mutants = 1; // `after` is empty for several
};
Told told_of(const std::vector<const Entry*>& mutants, std::size_t width);

} // namespace gputest::report

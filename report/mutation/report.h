// What is reported of mutation testing: mutation.json files read, the parts of each kernel merged.
#pragma once

#include "model/coverage.h"
#include "model/mutation.h"
#include "model/places.h"
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

// InputError when a file cannot be read or is not what it should be. An empty title: one made of
// the kernels' names. Files about the same kernel under the same name are parts of one result.
MutationReport read_mutation_report(const std::vector<std::filesystem::path>& files,
                                    std::string title);
MutationReport make_mutation_report(std::vector<model::Mutation> parts, std::string title);

// The texts of files that mutants are in, where mutation.json has none.
void add_sources(MutationReport& report, const SourceTree& sources);

// Over all kernels; a mutant of code that two kernels share counts for each.
model::Tallies tally(const MutationReport& report);

// What the score is made of: detected and scored mutants.
model::Tally score_of(const model::Tallies& tallies);

// Equivalent, duplicate, ignored, or not compiled.
std::uint64_t not_scored(const model::Tallies& tallies);

// "sum", or "sum (partial_sum)" where the kernel's tests are called something else.
std::string label_of(const model::Mutation& kernel);

// A mutant, what became of it, and where it is shown.
struct Entry {
  const model::Mutation* kernel = nullptr;
  const model::MutantResult* result = nullptr;
  model::Places::Place place;
};

// In order of file, line and column. Points into `report`.
std::vector<Entry> entries_of(const MutationReport& report);

// Mutants that count and that no test notices, in the order of `entries`: each by itself, or
// together where all that count of one expression survived, and there are several.
std::vector<std::vector<const Entry*>> unnoticed(std::span<const Entry* const> entries);

// "a, b: 'i < n' → 'i <= n' survived", or "a, b: 'i < n': each of 3 mutants survived".
struct Told {
  std::string operators, before, after,
      outcome;             // not escaped; texts of at most `width` code points
  std::size_t mutants = 1; // `after` is of one alone
};
Told told_of(const std::vector<const Entry*>& mutants, std::size_t width);

} // namespace gputest::report

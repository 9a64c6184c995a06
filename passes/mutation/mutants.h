// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutation pass makes every mutant of a file, most of them in one text.
//
// mutants.cl has the original and all switched mutants. Each site tests whether one of its own
// mutants is active (mutant schemata: Untch, Offutt, Harrold, ISSTA 1993). Guards stop a mutant
// that does harm. Loops count against a budget, accesses are checked against the size of their
// object, and integers are not divided by 0. Work-items vote on decisions ahead of a barrier
// (passes/dataflow/barriers.h).
#pragma once

#include "model/mutation/mutants.h"
#include "passes/mutation/proposals.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gputest::passes::mutation {

// A change that turns the flat text into that of a mutant: a range, and the text in its place.
struct TextChange {
  unsigned begin = 0, end = 0;
  std::string text;
};

struct MutantVariant {
  std::string text;     // mutants.cl
  std::string original; // original.cl: with guards only, for mutants of the launch
  model::MutantTable table;
  std::map<std::string, std::vector<TextChange>> changes; // of the flat text, by mutant's id
  std::set<std::string> same_launches; // ids of launch mutants that a kernel cannot notice
};

// Mutates OpenCL C. The wrapper kernel of a device function under test has no mutants of its own.
// CUDA C++ has mutate_cuda() (cuda.h), without guards.
MutantVariant mutate(const frontend::Tree& tree, const std::string& source_name);

// Returns mutants.cl with only the mutants of these sites, which keep their numbers. For devices
// whose compiler rejects the whole text.
std::string mutate_sites(const frontend::Tree& tree, const std::string& source_name,
                         const std::function<bool(unsigned)>& is_wanted);

// Returns differences.cl (differences.h) for the switched mutants with these numbers.
struct Differences;
Differences differences(const frontend::Tree& tree, const std::string& source_name,
                        const std::function<bool(unsigned)>& is_wanted);

// Returns the text of a mutant by itself. `tree` is that of the changed flat text. Guards report
// the numbers that `table` has. For mutants of synchronisation, only decisions that could diverge
// have votes, so that votes hide no race.
std::string guarded(const frontend::Tree& tree, const model::MutantTable& table,
                    bool synchronisation);

struct GuardedOriginal {
  std::string text;
  model::MutantTable table; // without mutants
};

// Returns the original with guards only, to find out what it does wrong itself.
GuardedOriginal guarded_original(const frontend::Tree& tree, const std::string& source_name);

// Returns `source` with the changes. New text has the places of the text that it replaces.
frontend::FlatSource changed(const frontend::FlatSource& source,
                             const std::vector<TextChange>& changes);

} // namespace gputest::passes::mutation

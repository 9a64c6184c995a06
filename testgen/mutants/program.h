// The mutants of a kernel that inputs are looked for: one program that has all of them
// (passes/mutation/).
#pragma once

#include "frontend/parse.h"
#include "frontend/source_options.h"
#include "ir/frontend.h"
#include "model/mutation/mutants.h"
#include "passes/mutation/differences.h"
#include "testgen/deadline.h"
#include "testgen/goals.h"

#include <string>
#include <vector>

namespace gputest::testgen {

struct MutantProgram {
  std::string text;         // mutants.cl
  model::MutantTable table; // of the file, with what the build would mark as equivalent
  // Of the switched mutants that count; without text where the language has none.
  passes::mutation::Differences differences;

  // The kernel's mutants that an output or a fault of a launch can tell, in the order of the table.
  std::vector<const model::Mutant*> goals_of(const std::string& kernel) const;

  // Those of a kernel that are not looked for, though they count: they have programs of their own,
  // or a check of the simulator decides about them (docs/mutation.md, "Survivors in the
  // simulator").
  std::size_t left_to_checks(const std::string& kernel) const;
};

// The mutants of the file that `tree` is of; what is proved equivalent is proved by `until`. Throws
// UsageError for comments that name no operator.
MutantProgram mutants_of(const passes::Tree& tree, const passes::SourceOptions& options,
                         const passes::FlatSource& flat, const std::string& name, Deadline until);

// "kernel.cl:12:7: scan.5e21: 'i < n' -> 'i <= n'"
std::string text_of(const model::Mutant& mutant);
// "12-conditional-boundary-replacement": letters, digits and '-'
std::string file_part(const model::Mutant& mutant);

} // namespace gputest::testgen

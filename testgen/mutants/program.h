// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutants that inputs are searched for, as one program with all of them (passes/mutation/).
#pragma once

#include "frontend/parse.h"
#include "frontend/source_options.h"
#include "ir/frontend.h"
#include "model/mutation/mutants.h"
#include "passes/mutation/differences.h"
#include "passes/mutation/mutants.h"
#include "runtime/variants/mutation_state.h"
#include "testgen/goals/deadline.h"
#include "testgen/goals/goals.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::testgen {

struct MutantProgram {
  std::string text;         // mutants.cl
  model::MutantTable table; // of the file; equivalent mutants are marked as in the build
  // For switched mutants that count. Its text is empty for languages without differences.cl.
  passes::mutation::Differences differences;
  std::map<std::string, std::vector<passes::mutation::TextChange>> changes{}; // by mutant's id

  // The bytes of the state in which `differences` are recorded.
  std::size_t bytes_of_differences() const {
    return runtime::kStateHeaderBytes + sizeof(std::uint32_t) * std::size_t{differences.words};
  }

  // Returns the original with the change of a mutant alone.
  std::string text_of(const model::Mutant& mutant, std::string original) const;

  // Returns the kernel's mutants that an output or a fault of a launch can reveal, in the order of
  // the table.
  std::vector<const model::Mutant*> goals_of(const std::string& kernel) const;

  // Returns the number of the kernel's mutants that count but are no goals. They have programs of
  // their own, or a check of the simulator decides about them (docs/mutation.md, "Survivors in the
  // simulator").
  std::size_t left_to_checks(const std::string& kernel) const;
};

// Makes the mutants of the file of `tree`. Proofs of equivalence have the work of `seconds` of an
// idle machine. Throws UsageError for comments that name no operator.
MutantProgram mutants_of(const frontend::Tree& tree, const frontend::SourceOptions& options,
                         const frontend::FlatSource& flat, const std::string& name, double seconds);

// The same for the file in `options`, which was read as `flat`.
MutantProgram mutants_in(const frontend::SourceOptions& options, const frontend::FlatSource& flat,
                         double seconds);

// "kernel.cl:12:7: scan.5e21: 'i < n' -> 'i <= n'"
std::string text_of(const model::Mutant& mutant);
// "12-conditional-boundary-replacement": letters, digits and '-'
std::string file_part(const model::Mutant& mutant);

} // namespace gputest::testgen

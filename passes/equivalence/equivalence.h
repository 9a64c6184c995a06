// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trivial compiler equivalence (Papadakis, Jia, Harman, Le Traon, ICSE 2015): finds mutants whose
// optimised code is that of the original, or of an earlier mutant.
//
// The comparison is on LLVM IR with the guards of templates/mutants.cl, so equal mutants compute
// the same and are stopped for the same reasons (docs/internals/equivalence.md).
#pragma once

#include "frontend/cuda/unit.h"
#include "frontend/source_options.h"
#include "model/mutation/mutants.h"
#include "passes/equivalence/optimised_code.h"
#include "passes/mutation/mutants.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::passes {

// Sets `equivalent` and `duplicate_of` of switched mutants, and `equivalent` of the programs and
// launches in `variant.table`. `programs` has the texts of these programs, by id. An ignored mutant
// is neither marked nor an original that others duplicate. A duplicate has the other mutant's code
// in every kernel, and both or neither are faults of synchronisation.
//
// If text does not compile for the comparison, its mutants stay as they are, with a note in
// `not_mutated`. The same holds for mutants that are left when the limit is reached.
void mark_equivalent(mutation::MutantVariant& variant,
                     const std::map<std::string, std::string>& programs, const std::string& cl_std,
                     WorkLimit limit = {});

// The same for a file in the language and with the options of `source`.
void mark_equivalent(mutation::MutantVariant& variant,
                     const std::map<std::string, std::string>& programs,
                     const frontend::SourceOptions& source, WorkLimit limit = {});

// The ways in which a unit of a CUDA program is compiled for its devices.
struct CudaWays {
  std::vector<frontend::CudaOptions> options; // one for each architecture
  bool relocatable = false;                   // other units may call its functions
};

// The same for a unit's device code (CudaMutants::device). A mutant is marked only if its code is
// the same, for each architecture, in every function that can be entered from outside. Mutants of
// launches change no device code and are never marked.
void mark_equivalent(model::MutantTable& table, const std::string& text, const CudaWays& ways);

// Returns the code for a later mark_equivalent(): LLVM bitcode, one for each architecture. Empty if
// the text does not compile for the comparison; `not_mutated` then has a note.
std::vector<std::string> code_to_compare(model::MutantTable& table, const std::string& text,
                                         const CudaWays& ways);
void mark_equivalent(model::MutantTable& table, const std::vector<std::string>& code,
                     WorkLimit limit);

// More mutants than this are compared only on request, or if they survive: each takes milliseconds.
inline constexpr std::size_t kComparedUnasked = 1000;

// Notes in `not_mutated` that no mutant was compared.
void note_not_compared(model::MutantTable& table, const std::string& reason);

// Returns the number of mutants that mark_equivalent() would compile.
std::size_t mutants_to_compare(const model::MutantTable& table);

} // namespace gputest::passes

// Trivial compiler equivalence (Papadakis, Jia, Harman, Le Traon, ICSE 2015): finds mutants whose
// optimised code is that of the original, or of an earlier mutant.
//
// It compares LLVM IR with the guards of templates/mutants.cl, so equal mutants compute the same
// and are stopped for the same reasons (docs/mutation.md).
#pragma once

#include "model/mutation/mutants.h"
#include "passes/equivalence/optimised_code.h"
#include "passes/mutation/mutants.h"

#include <map>
#include <string>

namespace gputest::passes::mutation {

// Sets `equivalent` and `duplicate_of` of switched mutants, and `equivalent` of the programs and
// launches in `variant.table`. `programs` has the texts of these programs, by id. An ignored mutant
// is neither marked nor an original that others duplicate. A duplicate has the other mutant's code
// in every kernel, and both or neither are faults of synchronisation.
//
// If text does not compile for the comparison, its mutants stay as they are, with a note in
// `not_mutated`. The same holds for mutants that are not compared by `until`.
void mark_equivalent(MutantVariant& variant, const std::map<std::string, std::string>& programs,
                     const std::string& cl_std, Deadline until = Deadline::max());

// How many mutants mark_equivalent() would compile.
std::size_t mutants_to_compare(const model::MutantTable& table);

} // namespace gputest::passes::mutation

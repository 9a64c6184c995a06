// Trivial compiler equivalence (Papadakis, Jia, Harman, Le Traon, ICSE 2015): mutants whose
// optimised code is that of the original, or of an earlier mutant.
//
// Compared is LLVM IR with the guards of templates/mutants.cl, so that equal mutants compute the
// same and are stopped for the same reasons (docs/mutation.md).
#pragma once

#include "model/mutants.h"
#include "passes/mutation/mutants.h"

#include <map>
#include <string>

namespace gputest::passes::mutation {

// Sets `equivalent` and `duplicate_of` of switched mutants and `equivalent` of the programs in
// `variant.table`; `programs` are the texts of these, by id. Mutants that are ignored neither get
// them nor are what others are duplicates of. A duplicate is in every kernel what the other is, and
// as much a fault of synchronisation.
//
// Text that does not compile for the comparison leaves its mutants as they are, and a note in
// `not_mutated`.
void mark_equivalent(MutantVariant& variant, const std::map<std::string, std::string>& programs,
                     const std::string& cl_std);

// How many mutants mark_equivalent() would compile.
std::size_t mutants_to_compare(const model::MutantTable& table);

// Says in `not_mutated` that equivalent mutants were not looked for.
void note_not_compared(model::MutantTable& table, const std::string& reason);

} // namespace gputest::passes::mutation

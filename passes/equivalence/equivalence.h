// Trivial compiler equivalence (Papadakis, Jia, Harman, Le Traon, ICSE 2015): mutants whose
// optimised code is that of the original, or of an earlier mutant.
//
// Compared is LLVM IR with the guards of templates/mutants.cl, so that equal mutants compute the
// same and are stopped for the same reasons (docs/mutation.md).
#pragma once

#include "model/mutants.h"
#include "passes/equivalence/optimised_code.h"
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
// `not_mutated`; so do mutants that are not compared by `until`.
void mark_equivalent(MutantVariant& variant, const std::map<std::string, std::string>& programs,
                     const std::string& cl_std, Deadline until = Deadline::max());

// How many mutants mark_equivalent() would compile.
std::size_t mutants_to_compare(const model::MutantTable& table);

} // namespace gputest::passes::mutation

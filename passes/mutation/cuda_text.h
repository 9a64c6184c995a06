// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the text of a CUDA file with all mutants: each is a changed copy of a part, beside the
// original.
#pragma once

#include "frontend/edits.h"
#include "passes/mutation/mutants.h"
#include "passes/mutation/proposals.h"

#include <span>
#include <string>
#include <vector>

namespace gputest::passes::mutation {

struct CudaMutant {
  Proposal proposal;
  std::vector<TextChange> changes; // in order
  unsigned number = 0;
};

// The mutants of one place.
struct CudaSite {
  unsigned begin = 0, end = 0;     // the text that is copied
  unsigned index = 0;              // its bit
  std::vector<CudaMutant> mutants; // numbered one after the other; of one kind
};

// A text to insert before the character at `at`.
struct CudaInsertion {
  unsigned at = 0;
  std::string text;
};

// Mutants can share a site only if they are of one kind.
enum class SiteKind { Expression, Statement, Share };
SiteKind kind_of(Manner manner);

// Returns the text with all mutants of the sites, which are disjoint or nested. Sites are in order
// of `begin`; those with the same `begin` are from the outside in. `insertions`, in order, also go
// into the copies for mutants; one at the beginning of a site goes before the site. `edits` change
// the text between sites.
std::string text_with_mutants(const frontend::Tree& tree, const std::vector<CudaSite>& sites,
                              const std::vector<CudaInsertion>& insertions,
                              const frontend::Edits& edits = {});

// Returns the tokens of [begin, end) on one line, without comments and directives, with the
// insertions after `begin` and before `end`.
std::string in_one_line(const frontend::FlatSource& source, unsigned begin, unsigned end,
                        std::span<const CudaInsertion> insertions = {});

} // namespace gputest::passes::mutation

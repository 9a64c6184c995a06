// The text of a CUDA file with all mutants, each a copy of what it changes beside the original.
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
  unsigned begin = 0, end = 0;     // the text that is there twice
  unsigned index = 0;              // its bit
  std::vector<CudaMutant> mutants; // numbered one after the other; of one kind
};

// Text that goes before what is at that place.
struct CudaInsertion {
  unsigned at = 0;
  std::string text;
};

// Whether mutants of such kinds can share a site.
enum class SiteKind { Expression, Statement, Share };
SiteKind kind_of(Manner manner);

// The text with all mutants of the sites, which lie beside or within each other. They are in order
// of begin and, where that is the same, from the outside in. `insertions`, in order, are also in
// the copies that mutants make of the text; one at the beginning of a site goes before the site.
// `edits` are of the text between sites.
std::string text_with_mutants(const Tree& tree, const std::vector<CudaSite>& sites,
                              const std::vector<CudaInsertion>& insertions,
                              const Edits& edits = {});

// Tokens as they are in one line, without comments and directives, with the insertions behind
// `begin` and before `end`.
std::string in_one_line(const FlatSource& source, unsigned begin, unsigned end,
                        std::span<const CudaInsertion> insertions = {});

} // namespace gputest::passes::mutation

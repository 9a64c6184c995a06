// The text of a CUDA file with all mutants, each a copy of what it changes beside the original.
#pragma once

#include "frontend/edits.h"
#include "passes/mutation/mutants.h"
#include "passes/mutation/proposals.h"

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

// Whether mutants of such kinds can share a site.
enum class SiteKind { Expression, Statement, Share };
SiteKind kind_of(Manner manner);

// The text with all mutants of the sites, which lie beside or within each other. They are in order
// of begin and, where that is the same, from the outside in. `edits` are of the text between sites.
std::string text_with_mutants(const Tree& tree, const std::vector<CudaSite>& sites,
                              const Edits& edits = {});

// Tokens as they are in one line, without comments and directives.
std::string in_one_line(const FlatSource& source, unsigned begin, unsigned end);

} // namespace gputest::passes::mutation

// The coverage pass. Criteria as CLTestCheck defines them (Peng, Rajan, FASE 2019, section 3.1),
// with statement and condition coverage added; docs/coverage.md says what counts as a site.
#pragma once

#include "frontend/ignore_comments.h"
#include "frontend/parse.h"
#include "model/sites.h"

namespace gputest::passes {

struct CoverageVariant {
  std::string
      text; // OpenCL C; every kernel takes the state buffer (templates/state.h) as last argument
  model::SiteTable sites;
};

// What `comments` leave out does not count.
CoverageVariant instrument_coverage(const Tree& tree, const std::string& source_name,
                                    const std::vector<IgnoreComment>& comments = {});

} // namespace gputest::passes

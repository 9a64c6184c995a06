// What a mutant changes, as people read it.
#pragma once

#include <string>
#include <utility>

namespace gputest::passes::mutation {

// Texts as long as they are may be those of a whole sum of hundreds of terms, of which each has
// mutants. If one has more than 600 bytes, both keep only their ends and what is around the places
// where they differ, with "…" for what is left out.
std::pair<std::string, std::string> shown(const std::string& text, const std::string& replacement);

} // namespace gputest::passes::mutation

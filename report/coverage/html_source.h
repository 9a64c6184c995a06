// The part of the HTML page that shows one source file. Internal to html.cpp.
#pragma once

#include "report/common/annotate.h"

#include <string>
#include <vector>

namespace gputest::report {

// A <table> with one row for each line, and notes below the code that they are about. Lines with
// coverage that `text` lacks are listed below it, because the source changed since it was measured.
std::string source_table(const AnnotatedFile& file, std::size_t index,
                         const std::vector<std::string>& text, std::size_t cases);

// For a file whose text is not available: its sites, outcome by outcome.
std::string site_table(const AnnotatedFile& file, std::size_t index);

// `<span class="chips">`: the four cases of a loop, with those that occurred and those that cannot.
std::string loop_chips(const model::SiteCoverage& loop);

// A finding as `branch <code>a &lt; b</code> was never false`.
std::string sentence_html(const Finding& finding);

} // namespace gputest::report

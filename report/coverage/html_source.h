// The part of the HTML page that shows one source file. Internal to html.cpp.
#pragma once

#include "report/common/annotate.h"

#include <string>
#include <vector>

namespace gputest::report {

// <table> with one row for each line, notes below the code they are about. Lines with coverage that
// `text` does not have are listed below it: the source changed since it was measured.
std::string source_table(const AnnotatedFile& file, std::size_t index,
                         const std::vector<std::string>& text, std::size_t cases);

// For a file whose text nobody has: its sites, outcome by outcome.
std::string site_table(const AnnotatedFile& file, std::size_t index);

// `<span class="chips">`: the four cases of a loop, which of them occurred, which cannot.
std::string loop_chips(const model::SiteCoverage& loop);

// A finding as `branch <code>a &lt; b</code> was never false`.
std::string sentence_html(const Finding& finding);

} // namespace gputest::report

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the part of the HTML page that shows one source file. Internal to html.cpp.
#pragma once

#include "report/coverage/annotate.h"

#include <string>
#include <vector>

namespace gputest::report {

// Returns a <table> with one row for each line, and notes below the code that they are about. Lines
// with coverage that `text` lacks are listed below it: the source changed since it was measured.
std::string source_table(const AnnotatedFile& file, std::size_t index,
                         const std::vector<std::string>& text, std::size_t cases);

// Returns the sites of a file whose text is not available, outcome by outcome.
std::string site_table(const AnnotatedFile& file, std::size_t index);

// Returns `<span class="chips">` with the four cases of a loop: those that occurred, and those that
// cannot.
std::string loop_chips(const model::SiteCoverage& loop);

// Returns a finding as `branch <code>a &lt; b</code> was never false`.
std::string sentence_html(const CoverageFinding& finding);

} // namespace gputest::report

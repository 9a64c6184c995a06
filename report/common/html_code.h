// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of HTML that pages with source lines share.
#pragma once

#include "model/coverage.h"
#include "report/common/findings.h"
#include "report/common/highlight.h"
#include "report/common/text.h"

#include <string>
#include <string_view>
#include <vector>

namespace gputest::report {

// Returns the id of a line's row: "f2-L17". `file` is the file's number on the page.
std::string anchor_of(std::size_t file, unsigned line);

// Returns "full", "fair", "poor" or, if nothing counts, "nothing".
const char* level_of(const model::Tally& tally);

// Returns a bar as long as the tally's percentage.
std::string bar(const model::Tally& tally);

// Begins the table of a file's lines, up to its first row. `counted`: what the second column
// counts.
void begin_source_table(std::string_view counted, Out out);

// Bytes of one line, as a half-open range of 0-based offsets. npos: to the end of the line.
struct Mark {
  std::size_t begin = 0, end = 0;
  Severity severity = Severity::Missing;
};

// Writes a line's text, coloured by `tokens` (one for each byte), with `marks` underlined.
void write_code(const std::string& text, const std::vector<Token>& tokens,
                const std::vector<Mark>& marks, Out out);

// Returns, for each line number, whether the line is one of `gaps` or a few lines from one. 0 is
// unused.
std::vector<bool> lines_near(const std::vector<unsigned>& gaps, std::size_t line_count);

// Writes the row for the lines from `number` on that are not near: "12 lines <what>".
void write_fold(const std::vector<bool>& near, std::size_t number, std::string_view what, Out out);

} // namespace gputest::report

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes text from elsewhere (names, kernel source) fit for a terminal, HTML and XML.
#pragma once

#include "model/coverage.h"
#include "model/text/plural.h"

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::report {

using Out = std::back_insert_iterator<std::string>; // what fmt::format_to() appends to

// Returns valid UTF-8 that is allowed in every output. Bytes that are not UTF-8, noncharacters, and
// marks that reorder text (U+202A to U+202E, U+2066 to U+2069) become U+FFFD. Control characters
// except tab become their pictures (U+2400 and up). A byte order mark is removed.
std::string clean(std::string_view text);

// As clean(), line by line: line ends stay. An end of the text that ends a line does not.
std::string clean_lines(std::string_view text);

// As clean(), with `&`, `<`, `>`, `"`, `'` as entities: for text and quoted attributes of HTML and
// XML.
std::string escape(std::string_view text);

// As escape(), for names and paths in HTML, which may be broken after `/` and `_`.
std::string breakable(std::string_view text);

// Returns JSON for a <script> element, with "<" as \u003c.
std::string inline_json(std::string_view json);

// Returns the lines without their line ends. Text that ends in a line end has no empty line after
// it. There is always a first line, even if it is empty.
std::vector<std::string_view> split_lines(std::string_view text);

// Returns the number of code points. It equals columns of a terminal except for wide and combining
// characters.
std::size_t width_of(std::string_view utf8);

// Returns the spaces that `utf8` lacks to be `width` wide.
std::string padding(std::string_view utf8, std::size_t width);

// Returns at most `width` code points. "…" replaces the middle of a longer text.
std::string elide_middle(std::string_view utf8, std::size_t width);

using model::plural;

// Returns "92 %", rounded down, so that only complete coverage shows 100 %. "–" if there is nothing
// to cover.
std::string percent_text(const model::Tally& tally);

// Returns `template_text` with each {{name}} replaced. Values are not searched for names. Throws
// std::logic_error for a name that is not in `values`.
std::string fill_in(std::string_view template_text,
                    const std::map<std::string, std::string, std::less<>>& values);

} // namespace gputest::report

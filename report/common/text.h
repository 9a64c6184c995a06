// Text that came from elsewhere (names, kernel source) made fit for a terminal, HTML and XML.
#pragma once

#include "model/coverage.h"

#include <string>
#include <string_view>
#include <vector>

namespace gputest::report {

// Valid UTF-8 that every output may hold: bytes that are no UTF-8, noncharacters and marks that
// reorder text (U+202A to U+202E, U+2066 to U+2069) become U+FFFD; control characters become their
// pictures (U+2400 and up), except tab.
std::string clean(std::string_view text);

// clean(), and `&`, `<`, `>`, `"`, `'` as entities: for text and quoted attributes of HTML and XML.
std::string escape(std::string_view text);

// JSON fit for a <script> element: "<" is written as \u003c.
std::string inline_json(std::string_view json);

// Without their line ends. Text that ends in one has no empty line after it; the first line is
// there even if it is empty.
std::vector<std::string_view> split_lines(std::string_view text);

// Code points. Equals columns of a terminal except for wide and combining characters.
std::size_t width_of(std::string_view utf8);

// The spaces that `utf8` lacks to be `width` wide.
std::string padding(std::string_view utf8, std::size_t width);

// At most `width` code points, the middle replaced by "…" where there are more.
std::string elide_middle(std::string_view utf8, std::size_t width);

// "3 cases", "1 case".
std::string plural(std::uint64_t count, std::string_view noun);

// "92 %", rounded down, so that only what is complete says 100 %; "–" where there is nothing to
// cover.
std::string percent_text(const model::Tally& tally);

// `template_text` with each {{name}} replaced once; values are not looked into. A name that is not
// in `values` is a std::logic_error.
std::string fill_in(std::string_view template_text,
                    const std::map<std::string, std::string, std::less<>>& values);

} // namespace gputest::report

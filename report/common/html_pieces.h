// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of HTML that pages share. All texts are HTML.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::report {

struct CardParts {
  std::string bar{}; // between the number and the fraction
  std::optional<std::string> details{};
  std::string end{};
};
// Returns a card at the top of a page. `level`: a class, "full", "fair", "poor" or "nothing".
// `fraction`: what the large number is of, "of 12".
std::string card(std::string_view level, std::string_view title, const std::string& number,
                 const std::string& fraction, const CardParts& more = {});

// Returns an entry of a page's navigation. `bar`: beside the name.
std::string navigation_link(const std::string& to, const std::string& name,
                            const std::string& bar = {});

// Returns the id of a kernel's section: "k2".
std::string kernel_anchor(std::size_t kernel);

// Return an entry of a list of problems. `level`: "error", "warning", "missing". `where`: what it
// is about, in front.
std::string problem(std::string_view level, const std::string& text);
std::string problem(std::string_view level, const std::string& where, const std::string& text);

// Return entries as a list, open or folded below a summary. Nothing for no entries.
std::string problem_list(const std::string& entries);
std::string folded_problems(const std::string& summary, const std::string& entries);

// Says that the source was not found. `more`: another sentence.
std::string without_source(const std::string& file, std::string_view more = {});

// Returns the head of a table, and begins its body.
std::string table_head(std::initializer_list<std::string_view> columns);

// Returns "12,345" for 12345.
std::string with_commas(std::uint64_t number);

} // namespace gputest::report

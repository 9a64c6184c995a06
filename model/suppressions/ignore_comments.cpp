// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/suppressions/ignore_comments.h"

#include "model/checks/checks.h"
#include "model/names.h"
#include "model/operators.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace gputest::model {
namespace {

constexpr std::string_view kName = "gputest:", kWord = "ignore";
bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

[[noreturn]] void fail(const std::string& file, unsigned line, std::size_t column,
                       const std::string& message) {
  throw CommentError(fmt::format("{}:{}:{}: error: {}", file, line, column + 1, message));
}

// Comments cannot leave out barriers, because a divergent barrier is an error wherever it is.
constexpr std::array kIgnoredCriteria{Criterion::Statement, Criterion::Branch, Criterion::Condition,
                                      Criterion::Loop};

// Moves the names of criteria out of `words`.
std::set<Criterion> take_criteria(std::vector<std::string>& words) {
  const std::set<Criterion> all(kIgnoredCriteria.begin(), kIgnoredCriteria.end());
  std::set<Criterion> result;
  std::erase_if(words, [&](const std::string& word) {
    if (word == "coverage")
      result = all;
    const auto one = named<Criterion>(word);
    if (one && all.contains(*one))
      result.insert(*one);
    return word == "coverage" || (one && all.contains(*one));
  });
  return result;
}

// Returns the words between the brackets with which `what` begins, and takes them away; none: it
// does not begin so. Throws std::invalid_argument if there is no word between them.
std::vector<std::string> take_words(std::string_view& what) {
  std::vector<std::string> words;
  what = trimmed(what);
  if (!take_prefix(what, "["))
    return words;
  const std::size_t end = what.find(']');
  for (const std::string& name : split(what.substr(0, end), ','))
    if (const std::string_view word = trimmed(name); !word.empty())
      words.emplace_back(word);
  if (words.empty())
    throw std::invalid_argument("the brackets name nothing");
  what = end == std::string_view::npos ? std::string_view() : what.substr(end + 1);
  return words;
}

// Takes the words away with which the text of a comment is one of these. Returns whether it is.
bool takes_name(std::string_view& text) {
  if (!take_prefix(text, kName))
    return false;
  text = trimmed(text);
  return take_prefix(text, kWord);
}

// Sorts words by what they name. Throws std::invalid_argument for a name of nothing.
void sort_words(std::vector<std::string> words, IgnoreComment& into) {
  into.everything = words.empty();
  into.criteria = take_criteria(words);
  into.kinds = take_kinds(words);
  if (words.empty())
    return;
  std::vector<std::string_view> names{"coverage", "conventional", "gpu", "all"};
  for (const Criterion criterion : kIgnoredCriteria)
    names.push_back(name_of(criterion));
  for (const MutationOperator& one : mutation_operators())
    names.push_back(one.name);
  for (const std::string& word : words)
    if (std::ranges::find(names, word) == names.end())
      throw std::invalid_argument(
          fmt::format("'{}' is no mutation operator, check or kind of findings{}", word,
                      meant_kind(word, std::move(names))));
  into.operators = select_operators(words);
}

} // namespace

std::string meant_kind(std::string_view word, std::vector<std::string_view> others) {
  for (const CheckRow& check : check_rows()) {
    others.push_back(check.name);
    for (const KindOfFinding& kind : check.kinds)
      others.push_back(kind.name);
  }
  for (const KindOfFinding& kind : other_kinds())
    others.push_back(kind.name);
  const std::string_view meant = meant_name(others, word, std::identity());
  return meant.empty() ? "" : fmt::format(" (did you mean '{}'?)", meant);
}

std::set<std::string> take_kinds(std::vector<std::string>& words) {
  std::set<std::string> result;
  std::erase_if(words, [&](const std::string& word) {
    bool is_known = false;
    const auto add_where = [&](std::span<const KindOfFinding> kinds, bool all) {
      for (const KindOfFinding& kind : kinds)
        if (all || kind.name == word) {
          result.emplace(kind.name);
          is_known = true;
        }
    };
    for (const CheckRow& check : check_rows())
      add_where(check.kinds, check.name == word);
    add_where(other_kinds(), false);
    return is_known;
  });
  return result;
}

bool IgnoreComment::ignores(const std::string& mutation_operator) const {
  return everything || std::ranges::find(operators, mutation_operator) != operators.end();
}

bool IgnoreComment::ignores(Criterion criterion) const {
  return criterion != Criterion::Barrier && (everything || criteria.contains(criterion));
}

std::vector<IgnoreComment> read_ignore_comments(std::string_view text, const std::string& file) {
  std::vector<IgnoreComment> result;
  std::optional<IgnoreComment> region;
  unsigned line_number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    ++line_number;
    const std::size_t at = line.find(kName);
    if (at == std::string_view::npos)
      continue;
    const std::string_view before = trimmed(line.substr(0, at));
    std::string_view what = line.substr(at);
    what = what.substr(0, what.find("*/"));
    if ((!before.ends_with("//") && !before.ends_with("/*")) || !takes_name(what))
      continue;
    if (take_prefix(what, "-end")) {
      if (!region)
        fail(file, line_number, at,
             "'gputest: ignore-end' ends nothing: there is no ignore-begin before it");
      region->last_line = line_number;
      result.push_back(*std::exchange(region, std::nullopt));
      continue;
    }
    const bool begins = take_prefix(what, "-begin");
    // A word that goes on, such as ignore-next-line, would stand for everything.
    if (!what.empty() && (std::isalnum(static_cast<unsigned char>(what.front())) ||
                          what.front() == '-' || what.front() == '_'))
      fail(file, line_number, at,
           "after 'gputest:' comes 'ignore', 'ignore-begin' or 'ignore-end', and then names in "
           "brackets, or a blank and a reason");
    IgnoreComment one{.file = file, .first_line = line_number, .last_line = line_number};
    try {
      sort_words(take_words(what), one);
    } catch (const std::invalid_argument& problem) {
      fail(file, line_number, at,
           fmt::format("{}; criteria of coverage are statement, branch, condition, loop, and "
                       "`coverage` for all of them; findings are left out by their kind, such as "
                       "`race`, or by their check, such as `races`; `gputest mutants "
                       "--list-operators` lists operators",
                       problem.what()));
    }
    one.reason = trimmed(what);
    if (begins) {
      if (region)
        fail(file, line_number, at,
             fmt::format("the region that begins in line {} has not ended: regions do not nest",
                         region->first_line));
      region = std::move(one);
      continue;
    }
    if (before.size() == 2) // alone in its line
      ++one.last_line;
    result.push_back(std::move(one));
  }
  if (region)
    fail(file, region->first_line, 0, "'gputest: ignore-begin' without 'gputest: ignore-end'");
  return result;
}

} // namespace gputest::model

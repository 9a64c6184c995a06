// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ignore_comments.h"

#include "model/operators.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace gputest::passes {
namespace {

llvm::Error error_at(const std::string& file, unsigned line, std::size_t column,
                     const std::string& message) {
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(), "%s",
      fmt::format("{}:{}:{}: error: {}", file, line, column + 1, message).c_str());
}

using model::Criterion;

// Moves the names of criteria out of `words`.
std::set<Criterion> take_criteria(std::vector<std::string>& words) {
  // Comments cannot leave out barriers, because a divergent barrier is an error wherever it is.
  const std::set<Criterion> all{Criterion::Statement, Criterion::Branch, Criterion::Condition,
                                Criterion::Loop};
  std::set<Criterion> result;
  std::erase_if(words, [&](const std::string& word) {
    if (word == "coverage")
      result = all;
    const auto one = model::criterion_named(word);
    if (one && all.contains(*one))
      result.insert(*one);
    return word == "coverage" || (one && all.contains(*one));
  });
  return result;
}

llvm::Expected<std::vector<IgnoreComment>> read_comments(llvm::StringRef text,
                                                         const std::string& file) {
  std::vector<IgnoreComment> result;
  std::optional<IgnoreComment> region;
  unsigned line_number = 0;
  while (!text.empty()) {
    const auto [line, rest] = text.split('\n');
    text = rest;
    ++line_number;
    const std::size_t at = line.find("gputest: ignore");
    if (at == llvm::StringRef::npos)
      continue;
    const llvm::StringRef before = line.take_front(at).rtrim();
    if (!before.ends_with("//") && !before.ends_with("/*"))
      continue;
    llvm::StringRef what = line.drop_front(at + llvm::StringRef("gputest: ignore").size());
    what = what.split("*/").first;
    if (what.consume_front("-end")) {
      if (!region)
        return error_at(file, line_number, at,
                        "'gputest: ignore-end' ends nothing: there is no ignore-begin before it");
      region->last_line = line_number;
      result.push_back(*std::exchange(region, std::nullopt));
      continue;
    }
    const bool begins = what.consume_front("-begin");
    IgnoreComment one{.file = file, .first_line = line_number, .last_line = line_number};
    if (what.consume_front("[")) {
      const auto [names, reason] = what.split(']');
      llvm::SmallVector<llvm::StringRef> words;
      names.split(words, ',');
      for (const llvm::StringRef word : words)
        if (!word.trim().empty())
          one.operators.push_back(word.trim().str());
      what = reason;
    }
    one.everything = one.operators.empty();
    one.criteria = take_criteria(one.operators);
    try {
      if (!one.operators.empty())
        one.operators = model::select_operators(one.operators);
    } catch (const std::invalid_argument& problem) {
      return error_at(
          file, line_number, at,
          fmt::format("{}; criteria of coverage are statement, branch, condition, loop, "
                      "and `coverage` for all of them",
                      problem.what()));
    }
    one.reason = what.trim().str();
    if (begins) {
      if (region)
        return error_at(
            file, line_number, at,
            fmt::format("the region that begins in line {} has not ended: regions do not nest",
                        region->first_line));
      region = std::move(one);
      continue;
    }
    const bool alone = before.drop_back(2).trim().empty();
    if (alone)
      ++one.last_line;
    result.push_back(std::move(one));
  }
  if (region)
    return error_at(file, region->first_line, 0,
                    "'gputest: ignore-begin' without 'gputest: ignore-end'");
  return result;
}

} // namespace

bool IgnoreComment::ignores(const std::string& mutation_operator) const {
  return everything || std::ranges::find(operators, mutation_operator) != operators.end();
}

bool IgnoreComment::ignores(Criterion criterion) const {
  return criterion != Criterion::Barrier && (everything || criteria.contains(criterion));
}

llvm::Expected<std::vector<IgnoreComment>>
read_ignore_comments(const std::vector<std::string>& files, const FileNames& names) {
  std::vector<IgnoreComment> result;
  for (const std::string& file : files) {
    const auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      continue; // it was there a moment ago; preprocessing would have said so
    auto comments = read_comments((*buffer)->getBuffer(), names.name(file));
    if (!comments)
      return comments.takeError();
    std::ranges::move(*comments, std::back_inserter(result));
  }
  return result;
}

} // namespace gputest::passes

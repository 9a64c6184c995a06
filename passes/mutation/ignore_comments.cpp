#include "passes/mutation/ignore_comments.h"

#include "model/operators.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace gputest::passes::mutation {
namespace {

struct Ignored {
  unsigned first_line = 0, last_line = 0;
  std::vector<std::string> operators; // empty: all
  std::string reason;
};

llvm::Error error_at(const std::string& file, unsigned line, std::size_t column,
                     const std::string& message) {
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(), "%s",
      fmt::format("{}:{}:{}: error: {}", file, line, column + 1, message).c_str());
}

llvm::Expected<std::vector<Ignored>> read_comments(llvm::StringRef text, const std::string& file) {
  std::vector<Ignored> result;
  std::optional<Ignored> region;
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
    Ignored one{.first_line = line_number, .last_line = line_number, .operators = {}, .reason = {}};
    if (what.consume_front("[")) {
      const auto [names, reason] = what.split(']');
      llvm::SmallVector<llvm::StringRef> words;
      names.split(words, ',');
      for (const llvm::StringRef word : words)
        if (!word.trim().empty())
          one.operators.push_back(word.trim().str());
      what = reason;
    }
    try {
      one.operators =
          one.operators.empty() ? one.operators : model::select_operators(one.operators);
    } catch (const std::invalid_argument& problem) {
      return error_at(file, line_number, at, problem.what());
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

llvm::Error ignore_by_comments(const std::vector<std::string>& files, const FileNames& names,
                               std::vector<model::Mutant>& mutants) {
  for (const std::string& file : files) {
    const auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      continue; // it was there a moment ago; preprocessing would have said so
    const std::string name = names.name(file);
    auto comments = read_comments((*buffer)->getBuffer(), name);
    if (!comments)
      return comments.takeError();
    for (model::Mutant& mutant : mutants) {
      if (mutant.file != name || mutant.kind == model::MutantKind::Launch)
        continue;
      for (const Ignored& ignored : *comments) {
        if (mutant.line < ignored.first_line || mutant.line > ignored.last_line)
          continue;
        // A mutant that several operators make is left out when all of them are.
        const bool all = std::ranges::all_of(mutant.operators, [&](const std::string& one) {
          return ignored.operators.empty() ||
                 std::ranges::find(ignored.operators, one) != ignored.operators.end();
        });
        mutant.ignored |= all;
        if (all)
          mutant.ignore_reason = ignored.reason;
      }
    }
  }
  return llvm::Error::success();
}

} // namespace gputest::passes::mutation

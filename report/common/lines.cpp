// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/lines.h"

#include <algorithm>

namespace gputest::report {
namespace {

using model::Criterion;

std::uint64_t most(const model::SiteCoverage& entry) {
  return entry.hits.empty() ? 0 : *std::ranges::max_element(entry.hits);
}

Function& function_named(const std::string& name, unsigned line, File& file) {
  const auto found = std::ranges::find(file.functions, name, &Function::name);
  if (found != file.functions.end())
    return *found;
  return file.functions.emplace_back(Function{.name = name, .line = line, .cases = 0, .lines = {}});
}

void add(const model::SiteCoverage& entry, File& file) {
  const unsigned number = entry.site.line;
  if (entry.site.criterion == Criterion::Statement) {
    Line& line = file.lines[number];
    line.has_statement = true;
    line.cases = std::max(line.cases, most(entry));
  } else if (entry.site.criterion == Criterion::Branch) {
    file.lines[number].branches.push_back(&entry);
  } else if (entry.site.criterion == Criterion::Loop ||
             entry.site.criterion == Criterion::Barrier) {
    file.lines[number].others.push_back(&entry);
  } else {
    return;
  }
  Function& function = function_named(entry.site.function, number, file);
  function.line = std::min(function.line, number);
  if (std::ranges::find(function.lines, number) == function.lines.end())
    function.lines.push_back(number);
}

// Counts a site's lines. Several functions of one template may share a line.
void count(const model::SiteCoverage& entry, File& file) {
  const auto function = std::ranges::find(file.functions, entry.site.function, &Function::name);
  const bool is_told = entry.site.criterion == Criterion::Statement ||
                       (entry.site.criterion != Criterion::Condition &&
                        !file.lines.at(entry.site.line).has_statement);
  if (function != file.functions.end() && is_told)
    function->cases = std::max(function->cases, most(entry));
}

bool is_part_of_name(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Returns whether the line has this name and an opening parenthesis after it.
bool names(const std::string& line, const std::string& name) {
  for (std::size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + 1)) {
    const std::size_t end = at + name.size(), next = line.find_first_not_of(" \t", end);
    if ((at == 0 || !is_part_of_name(line[at - 1])) && next != std::string::npos &&
        line[next] == '(')
      return true;
  }
  return false;
}

// Returns the name in the source: "get" for "tools::Box<int>::get<4>".
std::string plain_name(const std::string& name) {
  if (name.find("operator") != std::string::npos)
    return name;
  int depth = 0;
  std::string plain;
  for (const char letter : name) {
    depth += letter == '<' ? 1 : 0;
    if (depth == 0)
      plain += letter;
    depth -= letter == '>' ? 1 : 0;
  }
  return plain.substr(plain.rfind(':') + 1); // the whole name without "::"
}

// Functions of OpenCL C do not call themselves, so the last name up to the first site is the
// function's own.
unsigned line_of_name(const std::vector<std::string>& text, const std::string& name,
                      unsigned first_site) {
  for (std::size_t number = std::min<std::size_t>(first_site, text.size()); number > 0; --number)
    if (names(text[number - 1], name))
      return static_cast<unsigned>(number);
  return first_site;
}

void add_tally(model::Tally& into, const model::Tally& other) {
  into.covered += other.covered;
  into.total += other.total;
}

} // namespace

std::vector<File> files_of(const model::Coverage& coverage, const SourceTree& sources) {
  std::map<std::string, File> by_name;
  for (const model::SiteCoverage& entry : coverage.sites) {
    File& file = by_name[entry.site.file];
    file.name = entry.site.file;
    add(entry, file);
  }
  for (const model::SiteCoverage& entry : coverage.sites)
    count(entry, by_name.at(entry.site.file));
  std::vector<File> files;
  for (auto& [name, file] : by_name) {
    for (auto& [number, line] : file.lines)
      if (!line.has_statement)
        for (const auto* sites : {&line.branches, &line.others})
          for (const model::SiteCoverage* site : *sites)
            line.cases = std::max(line.cases, most(*site));
    for (Function& function : file.functions)
      std::ranges::sort(function.lines);
    if (const auto text = sources.lines_of(name))
      for (Function& function : file.functions)
        function.line = line_of_name(*text, plain_name(function.name), function.line);
    std::ranges::stable_sort(file.functions, {}, &Function::line);
    files.push_back(std::move(file));
  }
  return files;
}

model::Tally line_tally(const std::map<unsigned, Line>& lines) {
  model::Tally tally;
  for (const auto& [number, line] : lines)
    add_tally(tally, {.covered = line.cases > 0 ? 1U : 0U, .total = 1});
  return tally;
}

model::Tally branch_tally(const Line& line) {
  model::Tally tally;
  for (const model::SiteCoverage* branch : line.branches)
    for (const std::uint64_t hits : branch->hits)
      add_tally(tally, {.covered = hits > 0 ? 1U : 0U, .total = 1});
  return tally;
}

model::Tally branch_tally(const std::map<unsigned, Line>& lines) {
  model::Tally tally;
  for (const auto& [number, line] : lines)
    add_tally(tally, branch_tally(line));
  return tally;
}

} // namespace gputest::report

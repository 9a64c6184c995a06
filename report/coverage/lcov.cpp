// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/lines.h"
#include "report/common/text.h"
#include "report/coverage/outputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace gputest::report {
namespace {

// lcov accepts only these in a test's name.
std::string test_name(const std::string& title) {
  std::string name = title;
  for (char& c : name)
    if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')))
      c = '_';
  return name;
}

// lcov ends a function's name at a comma.
std::string function_name(const Function& function) {
  std::string name = clean(function.name);
  std::ranges::replace(name, ',', ';');
  return name;
}

void write_functions(const File& file, std::back_insert_iterator<std::string> out) {
  for (const Function& function : file.functions)
    fmt::format_to(out, "FN:{},{}\n", function.line, function_name(function));
  for (const Function& function : file.functions)
    fmt::format_to(out, "FNDA:{},{}\n", function.cases, function_name(function));
  fmt::format_to(out, "FNF:{}\nFNH:{}\n", file.functions.size(),
                 std::ranges::count_if(file.functions, [](auto& f) { return f.cases > 0; }));
}

void write_branches(const File& file, std::back_insert_iterator<std::string> out) {
  for (const auto& [number, line] : file.lines) {
    for (std::size_t block = 0; block < line.branches.size(); ++block) {
      const std::vector<std::uint64_t>& hits = line.branches[block]->hits;
      // A label of a switch has one outcome. Whether the switch itself was reached is not known
      // here.
      const bool evaluated =
          hits.size() == 1 || std::ranges::any_of(hits, [](std::uint64_t n) { return n > 0; });
      for (std::size_t branch = 0; branch < hits.size(); ++branch)
        fmt::format_to(out, "BRDA:{},{},{},{}\n", number, block, branch,
                       evaluated ? std::to_string(hits[branch]) : "-");
    }
  }
  const model::Tally tally = branch_tally(file.lines);
  fmt::format_to(out, "BRF:{}\nBRH:{}\n", tally.total, tally.covered);
}

void write_lines(const File& file, std::back_insert_iterator<std::string> out) {
  for (const auto& [number, line] : file.lines)
    fmt::format_to(out, "DA:{},{}\n", number, line.cases);
  const model::Tally tally = line_tally(file.lines);
  fmt::format_to(out, "LF:{}\nLH:{}\n", tally.total, tally.covered);
}

} // namespace

std::string lcov(const Report& report, const SourceTree& sources) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const File& file : files_of(report.all, sources)) {
    // Absolute, as geninfo and llvm-cov write them: only then does lcov see that a file is the
    // same.
    const std::string path = sources.path_of(file.name).value_or(file.name).string();
    fmt::format_to(out, "TN:{}\nSF:{}\n", test_name(report.title), clean(path));
    write_functions(file, out);
    write_branches(file, out);
    write_lines(file, out);
    text += "end_of_record\n";
  }
  return text;
}

} // namespace gputest::report

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/lines.h"
#include "report/common/text.h"
#include "report/coverage/outputs.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace gputest::report {
namespace {

using Lines = std::map<unsigned, Line>;

// Both are rounded down, so that only complete coverage is 1 or 100%.
std::string rate(const model::Tally& tally) {
  return fmt::format("{}", std::floor(tally.percent().value_or(0) * 100) / 10000);
}

std::string percent(const model::Tally& tally) {
  return fmt::format("{:.0f}%", std::floor(tally.percent().value_or(0)));
}

std::string rates(const Lines& lines) {
  return fmt::format("line-rate=\"{}\" branch-rate=\"{}\"", rate(line_tally(lines)),
                     rate(branch_tally(lines)));
}

model::Tally outcomes(const model::SiteCoverage& branch) {
  return branch_tally(Line{.cases = 0, .has_statement = false, .branches = {&branch}});
}

void write_conditions(const Line& line, const std::string& indent, Out out) {
  fmt::format_to(out, "{}  <conditions>\n", indent);
  for (std::size_t i = 0; i < line.branches.size(); ++i) {
    const bool is_label = line.branches[i]->site.kind == "switch";
    fmt::format_to(out, "{}    <condition number=\"{}\" type=\"{}\" coverage=\"{}\"/>\n", indent, i,
                   is_label ? "switch" : "jump", percent(outcomes(*line.branches[i])));
  }
  fmt::format_to(out, "{}  </conditions>\n", indent);
}

void write_lines(const Lines& lines, const std::string& indent, Out out) {
  fmt::format_to(out, "{}<lines>\n", indent);
  for (const auto& [number, line] : lines) {
    fmt::format_to(out, "{}  <line number=\"{}\" hits=\"{}\" branch=", indent, number, line.cases);
    const model::Tally tally = branch_tally(line);
    if (tally.total == 0) {
      fmt::format_to(out, "\"false\"/>\n");
      continue;
    }
    fmt::format_to(out, "\"true\" condition-coverage=\"{} ({}/{})\">\n", percent(tally),
                   tally.covered, tally.total);
    write_conditions(line, indent + "  ", out);
    fmt::format_to(out, "{}  </line>\n", indent);
  }
  fmt::format_to(out, "{}</lines>\n", indent);
}

void write_class(const File& file, Out out) {
  fmt::format_to(out,
                 "        <class name=\"{0}\" filename=\"{1}\" {2} complexity=\"0\">\n"
                 "          <methods>\n",
                 escape(std::filesystem::path(file.name).stem().string()), escape(file.name),
                 rates(file.lines));
  for (const Function& function : file.functions) {
    Lines lines;
    for (const unsigned number : function.lines)
      lines[number] = file.lines.at(number);
    fmt::format_to(out, "            <method name=\"{}\" signature=\"\" {} complexity=\"0\">\n",
                   escape(function.name), rates(lines));
    write_lines(lines, "              ", out);
    fmt::format_to(out, "            </method>\n");
  }
  fmt::format_to(out, "          </methods>\n");
  write_lines(file.lines, "          ", out);
  fmt::format_to(out, "        </class>\n");
}

std::string package_of(const File& file) {
  const std::string folder = std::filesystem::path(file.name).parent_path().generic_string();
  return folder.empty() ? "." : folder;
}

Lines all_lines(const std::vector<File>& files) {
  Lines all; // the numbers mean nothing here, only the tallies count
  for (const File& file : files)
    for (const auto& [number, line] : file.lines)
      all[static_cast<unsigned>(all.size())] = line;
  return all;
}

} // namespace

std::string cobertura(const Report& report, const SourceTree& sources) {
  const std::vector<File> files = files_of(report.all, sources);
  std::map<std::string, std::vector<File>> packages;
  for (const File& file : files)
    packages[package_of(file)].push_back(file);

  const Lines all = all_lines(files);
  const model::Tally lines = line_tally(all), branches = branch_tally(all);
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(
      out,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n"
      "<coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" "
      "branches-valid=\"{}\" complexity=\"0\" version=\"gputest\" timestamp=\"{}\">\n"
      "  <sources>\n    <source>{}</source>\n  </sources>\n  <packages>\n",
      rates(all), lines.covered, lines.total, branches.covered, branches.total, report.milliseconds,
      escape(sources.roots.front().string()));
  for (const auto& [name, members] : packages) {
    fmt::format_to(out, "    <package name=\"{}\" {} complexity=\"0\">\n      <classes>\n",
                   escape(name), rates(all_lines(members)));
    for (const File& file : members)
      write_class(file, out);
    fmt::format_to(out, "      </classes>\n    </package>\n");
  }
  text += "  </packages>\n</coverage>\n";
  return text;
}

} // namespace gputest::report

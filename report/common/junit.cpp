// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/junit.h"

#include "report/common/text.h"

#include <cstdlib>
#include <fmt/format.h>
#include <map>

namespace gputest::report {
namespace {

struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0;
  double seconds = 0;

  void add(const JUnitSuite& suite) {
    tests += suite.cases.size();
    for (const JUnitCase& one : suite.cases) {
      seconds += one.seconds;
      if (!one.type.empty())
        ++(one.is_error ? errors : failures);
    }
  }
  std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{:.3f}\"",
                       tests, failures, errors, seconds);
  }
};

std::string test_case(const std::string& suite, const std::string& name, const JUnitCase& one) {
  const std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" "
                                       "time=\"{:.3f}\"",
                                       escape(suite), escape(name), escape(one.file), one.seconds);
  if (one.type.empty())
    return text + "/>\n";
  const char* const outcome = one.is_error ? "error" : "failure";
  return text + fmt::format("><{0} type=\"{1}\" message=\"{2}\">{3}</{0}></testcase>\n", outcome,
                            escape(one.type), escape(one.message), escaped_lines(one.text));
}

// The value of the attribute in this tag.
std::string_view attribute(std::string_view tag, std::string_view name) {
  const std::string begin = fmt::format(" {}=\"", name);
  const std::size_t at = tag.find(begin);
  if (at == std::string_view::npos)
    return "";
  tag.remove_prefix(at + begin.size());
  return tag.substr(0, tag.find('"'));
}

} // namespace

std::string JUnitNames::unique(const std::string& class_name, const std::string& name) {
  std::string own = name;
  for (unsigned number = 2; !seen_.emplace(class_name, own).second; ++number)
    own = fmt::format("{} #{}", name, number);
  return own;
}

std::string join_junit(const std::vector<JUnitFile>& files) {
  std::map<std::string_view, double> sums;
  std::string names, suites;
  for (const auto& [kind, file] : files) {
    const std::size_t begin = file.find("<testsuites"), end = file.find(">\n", begin);
    const std::string_view tag = std::string_view(file).substr(begin, end - begin);
    names += (names.empty() ? "" : ", ") + std::string(attribute(tag, "name"));
    for (const char* count : {"tests", "failures", "errors", "skipped", "time"})
      sums[count] += std::strtod(std::string(attribute(tag, count)).c_str(), nullptr);
    std::string own = file.substr(end + 2, file.rfind("</testsuites>") - end - 2);
    for (const std::string attribute : {"<testsuite name=\"", "<testcase classname=\""})
      for (std::size_t at = 0; (at = own.find(attribute, at)) != std::string::npos;)
        own.insert(at += attribute.size(), kind + '.'); // text has no such quotes
    suites += own;
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" "
                     "tests=\"{:.0f}\" failures=\"{:.0f}\" errors=\"{:.0f}\" skipped=\"{:.0f}\" "
                     "time=\"{:.3f}\">\n",
                     names, sums["tests"], sums["failures"], sums["errors"], sums["skipped"],
                     sums["time"]) +
         suites + "</testsuites>\n";
}

std::string escaped_lines(const std::string& text) {
  std::string escaped;
  bool is_first = true;
  for (const std::string_view line : split_lines(text)) {
    escaped += (is_first ? "" : "\n") + escape(line);
    is_first = false;
  }
  return escaped;
}

std::string junit_xml(const std::string& title, const std::vector<JUnitSuite>& suites) {
  Counts all;
  JUnitNames names;
  std::string text;
  for (const JUnitSuite& suite : suites) {
    Counts counts;
    counts.add(suite);
    all.add(suite);
    text += fmt::format("  <testsuite name=\"{}\" {}>\n", escape(suite.name), counts.attributes());
    for (const JUnitCase& one : suite.cases)
      text += test_case(suite.name, names.unique(suite.name, one.name), one);
    text += "  </testsuite>\n";
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n",
                     escape(title), all.attributes()) +
         text + "</testsuites>\n";
}

} // namespace gputest::report

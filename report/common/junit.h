// JUnit XML, which CI systems read: suites of test cases.
#pragma once

#include <string>
#include <vector>

namespace gputest::report {

// Nothing in it is escaped.
struct JUnitCase {
  std::string name, file{};
  double seconds = 0;
  // What failed, "race"; empty: nothing. `is_error`: the test case itself could not be run.
  std::string type{}, message{}, text{};
  bool is_error = false;
};

struct JUnitSuite {
  std::string name;
  std::vector<JUnitCase> cases;
};

std::string junit_xml(const std::string& title, const std::vector<JUnitSuite>& suites);

// A file of one kind of results.
struct JUnitFile {
  std::string kind, text;
};
// One file with the suites of all of these files of ours, whose names, counts and times add up. The
// kind is before the names of suites and classes: "check.sum".
std::string join_junit(const std::vector<JUnitFile>& files);

// escape(), line by line, because clean() would replace line ends.
std::string escaped_lines(const std::string& text);

} // namespace gputest::report

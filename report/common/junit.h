// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes JUnit XML, which CI systems read: suites of test cases.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gputest::report {

// Makes the names of test cases unique, because CI systems know a test by its class and name.
class JUnitNames {
public:
  // Returns the name; "<name> #2" for the second one in the class.
  std::string unique(const std::string& class_name, const std::string& name);

private:
  std::set<std::pair<std::string, std::string>> seen_;
};

// A test case. Its texts are not escaped.
struct JUnitCase {
  std::string name, file{};
  double seconds = 0;
  // `type` is what failed, such as "race"; empty: nothing. `is_error`: the test case itself could
  // not run.
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
// Returns one file with the suites of all these files of ours. Their names, counts and times add
// up. The kind precedes the names of suites and classes: "check.sum".
std::string join_junit(const std::vector<JUnitFile>& files);

// As escape(), but line by line, because clean() would replace line ends.
std::string escaped_lines(const std::string& text);

} // namespace gputest::report

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/junit.h"

#include "report/check/report.h"

#include <algorithm>

namespace gputest::report {
namespace {

JUnitCase test_case(const model::CheckResults& results, const model::CheckedCase& checked) {
  JUnitCase test{.name = checked.name, .file = results.source, .seconds = checked.seconds};
  if (holds(checked))
    return test;
  test.is_error = checked.verdict == model::CaseVerdict::Error;
  test.type = model::name_of(checked.verdict);
  test.message = test.text = checked.message;
  bool is_first = true;
  for (const model::CheckedFinding& found : results.findings) {
    if (std::ranges::find(found.cases, checked.name) == found.cases.end())
      continue;
    if (is_first) {
      test.type = found.finding.kind;
      test.message = found.finding.message;
      test.text = checked.message.empty() ? "" : checked.message + "\n";
    }
    test.text += model::text_of(found.finding) + "\n";
    is_first = false;
  }
  return test;
}

} // namespace

std::string check_junit(const CheckReport& report) {
  std::vector<JUnitSuite> suites;
  for (const CheckedKernel& kernel : report.kernels) {
    JUnitSuite& suite =
        suites.emplace_back(JUnitSuite{.name = label_of(kernel.results), .cases = {}});
    for (const model::CheckedCase& checked : kernel.results.cases)
      suite.cases.push_back(test_case(kernel.results, checked));
  }
  return junit_xml(report.title, suites);
}

} // namespace gputest::report

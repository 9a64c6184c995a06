// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/junit.h"
#include "report/memory/report.h"

#include <fmt/format.h>

namespace gputest::report {
namespace {

JUnitCase test_case(const MemoryKernel& kernel, const model::MemoryCase& one) {
  JUnitCase result{.name = one.name, .file = kernel.results.source};
  if (one.warnings.empty())
    return result;
  result.type = one.warnings.front().kind;
  result.message = one.warnings.front().message;
  for (const model::MemoryWarning& warning : one.warnings) {
    result.text += fmt::format("{}:{}:{}: {}\n  because: {}\n", warning.file, warning.line,
                               warning.column, warning.message, warning.because);
    for (const model::MemoryWarning::Remedy& what : warning.what_ifs)
      result.text += "  what if: " + text_of(what) + "\n";
  }
  return result;
}

} // namespace

std::string memory_junit(const MemoryReport& report) {
  std::vector<JUnitSuite> suites;
  for (const MemoryKernel& kernel : report.kernels) {
    JUnitSuite& suite = suites.emplace_back(JUnitSuite{kernel.label(), {}});
    for (const model::MemoryCase& one : kernel.results.cases)
      suite.cases.push_back(test_case(kernel, one));
  }
  return junit_xml(report.title, suites);
}

} // namespace gputest::report

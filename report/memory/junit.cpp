#include "report/common/junit.h"
#include "report/memory/report.h"

#include <fmt/format.h>

namespace gputest::report {
namespace {

JUnitCase test_case(const MemoryKernel& kernel, const MemoryCase& one) {
  JUnitCase result{.name = one.name, .file = kernel.source};
  if (one.warnings.empty())
    return result;
  result.type = one.warnings.front().kind;
  result.message = one.warnings.front().message;
  for (const MemoryWarning& warning : one.warnings) {
    result.text +=
        fmt::format("{}:{}:{}: {}\n  because: {}\n", warning.place.file, warning.place.line,
                    warning.place.column, warning.message, warning.because);
    for (const std::string& what : warning.what_ifs)
      result.text += "  what if: " + what + "\n";
  }
  return result;
}

} // namespace

std::string memory_junit(const MemoryReport& report) {
  std::vector<JUnitSuite> suites;
  for (const MemoryKernel& kernel : report.kernels) {
    JUnitSuite& suite = suites.emplace_back(JUnitSuite{kernel.kernel, {}});
    for (const MemoryCase& one : kernel.cases)
      suite.cases.push_back(test_case(kernel, one));
  }
  return junit_xml(report.title, suites);
}

} // namespace gputest::report

#include "report/common/text.h"
#include "report/memory/report.h"

#include <fmt/format.h>

namespace gputest::report {
namespace {

std::string test_case(const MemoryKernel& kernel, const MemoryCase& one) {
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" time=\"0\"",
                  escape(kernel.kernel), escape(one.name), escape(kernel.source));
  if (one.warnings.empty())
    return text + "/>\n";
  std::string details;
  for (const MemoryWarning& warning : one.warnings) {
    details += escape(fmt::format("{}:{}:{}: {}", warning.place.file, warning.place.line,
                                  warning.place.column, warning.message)) +
               "\n  because: " + escape(warning.because) + "\n";
    for (const std::string& what : warning.what_ifs)
      details += "  what if: " + escape(what) + "\n";
  }
  return text + fmt::format("><failure type=\"{}\" message=\"{}\">{}</failure></testcase>\n",
                            escape(one.warnings.front().kind), escape(one.warnings.front().message),
                            details);
}

} // namespace

std::string memory_junit(const MemoryReport& report) {
  std::size_t all = 0, all_failures = 0;
  std::string suites;
  for (const MemoryKernel& kernel : report.kernels) {
    std::size_t failures = 0;
    std::string cases;
    for (const MemoryCase& one : kernel.cases) {
      failures += one.warnings.empty() ? 0 : 1;
      cases += test_case(kernel, one);
    }
    all += kernel.cases.size();
    all_failures += failures;
    suites += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
                          "skipped=\"0\" time=\"0\">\n{}  </testsuite>\n",
                          escape(kernel.kernel), kernel.cases.size(), failures, cases);
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" "
                     "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\" time=\"0\">\n",
                     escape(report.title), all, all_failures) +
         suites + "</testsuites>\n";
}

} // namespace gputest::report

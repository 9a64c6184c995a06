#include "runtime/simulation.h"

#include "gputest/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace gputest::runtime {

std::vector<std::string> default_checks() {
  return {"races", "barriers", "bounds", "uninitialized", "arithmetic"};
}

std::vector<std::string> parse_checks(const std::string& list) {
  if (list.empty())
    return default_checks();
  std::vector<std::string> known = default_checks(), checks;
  known.emplace_back("overflow");
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    if (std::ranges::find(known, name) == known.end())
      throw UsageError(
          fmt::format("--check: '{}' is no check; there are: {}", name, fmt::join(known, ", ")));
    if (std::ranges::find(checks, name) == checks.end())
      checks.push_back(name);
  }
  return checks;
}

std::string text_of(const SimulatorFinding& finding) {
  return finding.line == 0 ? finding.message
                           : fmt::format("{}:{}:{}: error: {}", finding.file, finding.line,
                                         finding.column, finding.message);
}

} // namespace gputest::runtime

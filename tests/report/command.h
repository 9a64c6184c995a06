// `gputest report` and `gputest cases`, called in this process.
#pragma once

#include <string>
#include <vector>

namespace gputest::tests {

struct Result {
  int code = 0;
  std::string out, err;
};

// Everything after `gputest report`.
Result run_report(std::vector<std::string> arguments);
// Everything after `gputest cases`.
Result run_cases(std::vector<std::string> arguments);

} // namespace gputest::tests

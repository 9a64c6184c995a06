// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/thresholds.h"

#include "driver/command_error.h"

#include <charconv>
#include <fmt/format.h>

namespace gputest::driver {

model::Thresholds parse_thresholds(const std::vector<std::string>& specifications) {
  model::Thresholds thresholds;
  for (const std::string& specification : specifications) {
    const std::size_t equals = specification.find('=');
    const auto criterion = model::criterion_named(specification.substr(0, equals));
    const std::string number = equals == std::string::npos ? "" : specification.substr(equals + 1);
    double percent = -1;
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), percent);
    // Written so that NaN is refused too.
    if (!criterion || error != std::errc() || end != number.data() + number.size() ||
        !(percent >= 0 && percent <= 100))
      throw CommandError(fmt::format("error: --threshold '{}': give CRITERION=PERCENT, with "
                                     "statement, branch, condition, loop or barrier, and 0 to 100",
                                     specification));
    thresholds.percent[*criterion] = percent;
  }
  return thresholds;
}

} // namespace gputest::driver

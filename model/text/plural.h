// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers with a noun, for messages.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace gputest::model {

// Returns "3 cases", "1 case".
inline std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

} // namespace gputest::model

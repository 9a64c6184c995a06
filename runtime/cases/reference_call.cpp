// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gputest/reference.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <string_view>

namespace gputest {

void detail::refuse_channel(std::size_t actual) {
  throw std::invalid_argument(
      fmt::format("ImageView::pixel: the image's channels have {} bytes", actual));
}

void detail::refuse_size(const char* argument) {
  throw std::invalid_argument(fmt::format("reference: '{}' has another size", argument));
}

const ReferenceCall::Argument& ReferenceCall::find(const char* name) const {
  const auto found = std::ranges::find(arguments_, std::string_view(name), &Argument::name);
  if (found == arguments_.end())
    throw std::invalid_argument(fmt::format("reference: the kernel has no argument '{}'", name));
  return *found;
}

} // namespace gputest

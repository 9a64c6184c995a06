// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gputest/reference.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <string_view>
#include <vector>

void gputest::detail::refuse_channel(std::size_t actual) {
  throw std::invalid_argument(
      fmt::format("ImageView::pixel: the image's channels have {} bytes", actual));
}

void gputest::detail::refuse_size(const char* argument) {
  throw std::invalid_argument(fmt::format("reference: '{}' has another size", argument));
}

const gputest::ReferenceCall::Argument& gputest::ReferenceCall::find(const char* name) const {
  const auto found = std::ranges::find(arguments_, std::string_view(name), &Argument::name);
  if (found == arguments_.end())
    throw std::invalid_argument(fmt::format("reference: the kernel has no argument '{}'", name));
  return *found;
}

void gputest::ReferenceCall::run_on_host(HostVersion& version) const {
  std::vector<void*> buffers;
  std::vector<std::size_t> bytes;
  for (const Argument& argument : arguments_) {
    buffers.push_back(argument.bytes.data());
    bytes.push_back(argument.bytes.size());
  }
  const std::size_t count = launch_.global_size[0];
  if (const char* const name = version(count, buffers.data(), bytes.data()))
    throw std::invalid_argument(
        fmt::format("'{}' has fewer elements than the launch has threads, {}", name, count));
}

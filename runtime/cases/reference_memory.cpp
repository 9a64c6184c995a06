// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/reference_memory.h"

#include <algorithm>
#include <memory>

namespace gputest::runtime {

constexpr std::size_t kAlignment = 128;

ReferenceMemory::ReferenceMemory(const BoundCase& initial) : initial_(initial) {
  for (const LaunchArgument& argument : initial.arguments) {
    if (argument.is_null) {
      storage_.emplace_back();
      arguments_.push_back({argument.name.c_str(), bytes.emplace_back(), {}, {}});
      continue;
    }
    const std::size_t size =
        argument.kind == LaunchArgument::Kind::Local ? argument.local_size : argument.bytes.size();
    storage_.emplace_back(size + kAlignment);
    void* begin = storage_.back().data();
    std::size_t space = storage_.back().size();
    std::align(kAlignment, size, begin, space);
    bytes.emplace_back(static_cast<std::byte*>(begin), size);
    std::ranges::copy(argument.bytes, bytes.back().begin());
    ImageView image;
    if (argument.image)
      image = {bytes.back().data(),      argument.image->width,
               argument.image->height,   argument.image->depth,
               argument.image->channels, model::size_of(argument.image->channel)};
    arguments_.push_back({argument.name.c_str(), bytes.back(), image, argument.sampler});
  }
}

} // namespace gputest::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/initialized.h"

#include "simulator/checks/definedness_memory.h"

#include <algorithm>
#include <cstring>

namespace gputest::simulator {
namespace {

constexpr std::size_t kComparedBytes = 4096; // at once

// Calls `changed` with the begin and the end of each part where the two differ.
template <typename Changed>
void compare(std::span<const std::byte> left, const std::byte* right, const Changed& changed) {
  for (std::size_t begin = 0; begin < left.size(); begin += kComparedBytes) {
    const std::size_t size = std::min(kComparedBytes, left.size() - begin);
    if (std::memcmp(left.data() + begin, right + begin, size) != 0)
      changed(begin, begin + size);
  }
}

} // namespace

Initialized::Initialized(const ir::KernelShape& shape, const gputest_context& context)
    : after_("initialized") {
  std::size_t size = 0;
  for (std::size_t i = 0; i < context.object_count; ++i) {
    const auto& [begin, bytes, writable] = context.objects[i];
    if (shape.objects[i].kind != ir::Object::Kind::Argument || writable == 0 ||
        shape.parameters[shape.objects[i].parameter].kind != ir::Parameter::Kind::Buffer)
      continue;
    const std::span<std::byte> shadow = DefinednessMemory::shadow_of(begin, bytes);
    buffers_.push_back({shadow, {shadow.begin(), shadow.end()}, size});
    size += bytes;
  }
  if (size == 0)
    return;
  after_.clear(size);
  const std::span<std::byte> after = after_.map();
  for (const Buffer& buffer : buffers_)
    std::ranges::copy(buffer.before, after.subspan(buffer.offset).begin());
}

void Initialized::tell() {
  for (const Buffer& buffer : buffers_) {
    std::byte* const after = after_.map().data() + buffer.offset;
    compare(buffer.shadow, buffer.before.data(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) // other bytes are those of other processes
        if (buffer.shadow[i] != buffer.before[i])
          after[i] = buffer.shadow[i];
    });
  }
}

void Initialized::adopt() {
  tell();
  for (const Buffer& buffer : buffers_) {
    const std::byte* const after = after_.map().data() + buffer.offset;
    compare(buffer.shadow, after, [&](std::size_t begin, std::size_t end) {
      std::memcpy(buffer.shadow.data() + begin, after + begin, end - begin);
    });
  }
}

} // namespace gputest::simulator

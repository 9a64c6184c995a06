// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/recorder.h"

#include "memory/trace/instrument.h"
#include "memory/trace/merge.h"

#include <algorithm>

namespace gputest::memory {
namespace {

// The kernel calls functions by name, without an object. This is their object.
Recorder* running = nullptr; // NOLINT

extern "C" {
void gputest_memory_begin(const gputest_context* context) {
  running->begin_item(*context);
}
void gputest_memory_block(gputest_u64 block) {
  running->add(block);
}
void gputest_memory_offset(gputest_u64 offset) {
  running->add(offset);
}
void gputest_memory_place(const gputest_u8* at, gputest_u64 size) {
  running->add_place(reinterpret_cast<const std::byte*>(at), size);
}
void gputest_memory_texels(const simulator::Image* image, gputest_u64 number) {
  running->add_texels(*image, number);
}
void gputest_memory_own(const gputest_u8* begin, gputest_u64 size, gputest_u64 object) {
  running->add_own(reinterpret_cast<const std::byte*>(begin), size,
                   static_cast<std::uint32_t>(object));
}
}

} // namespace

Recorder::Recorder(const ItemShape& shape, std::vector<std::optional<std::uint32_t>> placed,
                   std::vector<PlacedMemory> others, std::size_t most_bytes, LaunchTrace& trace)
    : shape_(shape), placed_(std::move(placed)), others_(std::move(others)),
      most_bytes_(most_bytes), trace_(trace) {
  running = this;
  simulator::watch_pixels([](const std::byte* pixel, std::size_t size, bool /*write*/) {
    running->add_texel(pixel, size);
  });
}

Recorder::~Recorder() {
  simulator::watch_pixels(nullptr);
  running = nullptr;
}

void Recorder::begin_item(const gputest_context& context) {
  if (began_ && std::equal(group_, group_ + 3, context.group_id))
    return;
  end_group();
  began_ = true;
  context_ = &context;
  std::copy_n(context.group_id, 3, group_);
  items_of_group_ = context.local_size[0] * context.local_size[1] * context.local_size[2];
  if (items_.size() < items_of_group_)
    items_.resize(items_of_group_);
  own_.assign(items_.size(), {});
  memory_.clear();
  for (std::size_t i = 0; i < placed_.size() && i < context.object_count; ++i)
    if (placed_[i])
      memory_.push_back({.begin = reinterpret_cast<const std::byte*>(context.objects[i].begin),
                         .size = context.objects[i].size,
                         .object = *placed_[i]});
  memory_.insert(memory_.end(), others_.begin(), others_.end());
}

void Recorder::add_own(const std::byte* begin, std::uint64_t size, std::uint32_t object) {
  if (!trace_.objects[object].in_registers)
    own_[context_->item].push_back({.begin = begin, .size = size, .object = object});
}

void Recorder::add_texel(const std::byte* pixel, std::uint64_t size) {
  texels_.emplace_back(pixel, size);
}

// A block of a row counts as the texels that it has a part of.
void Recorder::add_texels(const simulator::Image& image, std::uint64_t number) {
  const std::uint64_t texel = simulator::pixel_size(*image.order, *image.format);
  std::vector<std::uint64_t> offsets;
  for (const auto& [begin, size] : texels_) {
    const auto offset = static_cast<std::uint64_t>(begin - image.pixels);
    for (std::uint64_t at = offset / texel * texel; at < offset + size; at += texel)
      offsets.push_back(at);
  }
  texels_.clear();
  add(number);
  add(offsets.size());
  for (const std::uint64_t offset : offsets)
    add(offset);
}

void Recorder::add_place(const std::byte* at, std::uint64_t size) {
  for (const std::vector<PlacedMemory>* all : {&memory_, &own_[context_->item]})
    for (const PlacedMemory& memory : *all)
      if (const auto offset = static_cast<std::uint64_t>(at - memory.begin); offset < memory.size) {
        add(memory.object);
        add(offset);
        add(size);
        return;
      }
  add(kNoObject);
  add(0);
  add(size);
}

void Recorder::end_group() {
  if (!began_)
    return;
  const std::span<const ItemWords> items(items_.data(), items_of_group_);
  const WarpShape shape{
      .size = trace_.warp_size, .unrolled = trace_.unrolled, .division = trace_.division};
  for (std::size_t first = 0; first < items.size() && !full_; first += trace_.warp_size) {
    WarpWriter warp(trace_);
    merge_warp(shape_, trace_,
               items.subspan(first, std::min(trace_.warp_size, items.size() - first)), shape, warp);
    full_ = trace_.code.size() > most_bytes_;
    if (!outside_ && warp.outside())
      outside_ = {*warp.outside(), {group_[0], group_[1], group_[2]}};
  }
  trace_.groups.push_back(static_cast<std::uint32_t>(trace_.warps.size()));
  for (ItemWords& words : items_)
    words.clear();
  words_ = 0;
}

void Recorder::end() {
  end_group();
  began_ = false;
}

std::vector<simulator::NativeSymbol> recorder_symbols() {
  return {{kBeginFunction, reinterpret_cast<void*>(&gputest_memory_begin)},
          {kBlockFunction, reinterpret_cast<void*>(&gputest_memory_block)},
          {kOffsetFunction, reinterpret_cast<void*>(&gputest_memory_offset)},
          {kPlaceFunction, reinterpret_cast<void*>(&gputest_memory_place)},
          {kTexelsFunction, reinterpret_cast<void*>(&gputest_memory_texels)},
          {kOwnFunction, reinterpret_cast<void*>(&gputest_memory_own)}};
}

} // namespace gputest::memory

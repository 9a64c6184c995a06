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
}

} // namespace

Recorder::Recorder(const ItemShape& shape, std::vector<int> placed, std::size_t most_bytes,
                   LaunchTrace& trace)
    : shape_(shape), placed_(std::move(placed)), most_bytes_(most_bytes), trace_(trace) {
  running = this;
}

Recorder::~Recorder() {
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
  memory_.clear();
  for (std::size_t i = 0; i < placed_.size() && i < context.object_count; ++i)
    if (placed_[i] >= 0)
      memory_.push_back({.begin = reinterpret_cast<const std::byte*>(context.objects[i].begin),
                         .size = context.objects[i].size,
                         .object = static_cast<std::uint32_t>(placed_[i])});
}

void Recorder::add_place(const std::byte* at, std::uint64_t size) {
  for (const PlacedMemory& memory : memory_)
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
    merge_warp(shape_, trace_.references,
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
          {kPlaceFunction, reinterpret_cast<void*>(&gputest_memory_place)}};
}

} // namespace gputest::memory

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the records of a launch's work-items (instrument.h), and merges them to warps when a
// work-group has ended.
#pragma once

#include "memory/trace/item_shape.h"
#include "simulator/execute/loader.h"
#include "simulator/memory/images.h"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace gputest::memory {

// An object's memory in the launch.
struct PlacedMemory {
  const std::byte* begin = nullptr;
  std::uint64_t size = 0;
  std::uint32_t object = 0; // index in the trace
};

// A process has one recorder at a time.
class Recorder {
public:
  // `placed`: by the kernel's object, the index of the trace's object, if it has one. `most_bytes`:
  // the limit of the trace. `others`: memory that no object of the kernel is.
  Recorder(const ItemShape& shape, std::vector<std::optional<std::uint32_t>> placed,
           std::vector<PlacedMemory> others, std::size_t most_bytes, LaunchTrace& trace);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  void end(); // ends the launch
  // True: the trace exceeded `most_bytes`, or a group exceeded kMostWords, and recording stopped.
  bool full() const { return full_; }
  // The first access that is not within its object, and its work-group.
  struct Outside {
    OutsideAccess access;
    std::array<std::uint64_t, 3> group;
  };
  const std::optional<Outside>& outside() const { return outside_; }

  // The kernel's calls arrive here.
  void begin_item(const gputest_context& context);
  void add(std::uint64_t word) {
    if (words_ == kMostWords)
      full_ = true;
    if (full_)
      return;
    ++words_;
    items_[context_->item].push_back(word);
  }
  void add_place(const std::byte* at, std::uint64_t size);
  void add_texel(const std::byte* pixel, std::uint64_t size);
  void add_texels(const simulator::Image& image, std::uint64_t number); // those since the last call
  void add_own(const std::byte* begin, std::uint64_t size, std::uint32_t object);

private:
  void end_group();

  static constexpr std::size_t kMostWords = std::size_t{1} << 28;

  const ItemShape& shape_;
  std::vector<std::optional<std::uint32_t>> placed_;
  std::vector<PlacedMemory> others_;
  std::size_t most_bytes_;
  LaunchTrace& trace_;
  bool full_ = false, began_ = false;
  std::optional<Outside> outside_;
  std::uint64_t group_[3] = {0, 0, 0};
  const gputest_context* context_ = nullptr;
  std::vector<PlacedMemory> memory_;
  std::vector<ItemWords> items_;
  std::vector<std::vector<PlacedMemory>> own_;                     // by work-item: private arrays
  std::vector<std::pair<const std::byte*, std::uint64_t>> texels_; // begins and sizes
  std::size_t items_of_group_ = 0, words_ = 0;
};

// Returns the functions for LoadedCode, to be passed with simulator::native_symbols().
std::vector<simulator::NativeSymbol> recorder_symbols();

} // namespace gputest::memory

// Gathers what the work-items of a launch do (instrument.h), and makes warps of it as soon as a
// work-group has ended.
#pragma once

#include "memory/trace/item_shape.h"
#include "simulator/execute/loader.h"

#include <cstddef>
#include <vector>

namespace gputest::memory {

// Memory as the launch has placed it.
struct PlacedMemory {
  const std::byte* begin = nullptr;
  std::uint64_t size = 0;
  std::uint32_t object = 0; // index in the trace
};

// There can be one at a time.
class Recorder {
public:
  // `placed`: by number of the kernel's object, which of the trace's it is; -1: none.
  Recorder(const ItemShape& shape, std::vector<int> placed, std::size_t most_bytes,
           LaunchTrace& trace);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  void end(); // of the launch
  // The trace has grown beyond `most_bytes`, or one group's words beyond kMostWords, and nothing
  // was added any more.
  bool full() const { return full_; }

  // As the kernel calls them.
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

private:
  void end_group();

  static constexpr std::size_t kMostWords = std::size_t{1} << 28;

  const ItemShape& shape_;
  std::vector<int> placed_;
  std::size_t most_bytes_;
  LaunchTrace& trace_;
  bool full_ = false, began_ = false;
  std::uint64_t group_[3] = {0, 0, 0};
  const gputest_context* context_ = nullptr;
  std::vector<PlacedMemory> memory_;
  std::vector<ItemWords> items_;
  std::size_t items_of_group_ = 0, words_ = 0;
};

// For LoadedCode, beside simulator::native_symbols().
std::vector<simulator::NativeSymbol> recorder_symbols();

} // namespace gputest::memory

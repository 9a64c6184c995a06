// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies that a CUDA thread has begun and not waited for (cp.async, memcpy_async).
// They are made at once. But until the thread has waited, nobody may access what a copy writes, nor
// write what it reads. A barrier of the block does not wait for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <vector>

namespace gputest::simulator {

class AsyncCopies {
public:
  struct One {
    std::byte* to;
    const std::byte* from;
    std::uint64_t size;
    unsigned site;
    std::uint64_t item; // the thread that has begun it
    // What completes it: 0: the thread waits for its stage. Else the address of a barrier's or a
    // pipeline's word, and the stage is that of the barrier or pipeline.
    std::uint64_t key, stage;
  };

  bool empty() const { return count_ == 0; }
  void clear();

  // Adds a copy. With key 0 its stage is the one that the thread commits next.
  void begin(const One& copy);
  // The copies that the thread has begun since its last commit are its next stage.
  void commit(std::uint64_t item);
  // The thread waits for all its committed stages but the last `prior`. Returns copies that are now
  // complete.
  std::vector<One> wait(std::uint64_t item, std::uint64_t prior);
  // The thread's copies with key 0 are completed by this key and stage.
  void bind(std::uint64_t item, std::uint64_t key, std::uint64_t stage);
  // All stages of the key before this one are complete.
  void complete(std::uint64_t key, std::uint64_t stage);

  struct Meeting {
    const One* copy;
    bool written; // false: it reads there
  };
  // Returns copies that conflict with an access, whoever makes it.
  std::vector<Meeting> in_conflict(const std::byte* at, std::uint64_t size, bool write) const;

  // A range that contains all memory of the copies; null: there are none.
  struct Span {
    const std::byte *begin = nullptr, *end = nullptr;
  };
  Span span() const { return span_; }

private:
  using Ranges = std::multimap<const std::byte*, const One*>;
  static void forget(Ranges& ranges, const std::byte* begin, const One* copy);
  void remove(const One& copy);
  void enclose(const std::byte* begin, std::uint64_t size);
  template <typename Visit>
  void each_at(const Ranges& ranges, const std::byte* at, std::uint64_t size, Visit visit) const;

  std::map<std::uint64_t, std::list<One>> copies_;     // by thread
  std::map<std::uint64_t, std::uint64_t> next_stages_; // by thread
  Ranges written_, read_;                              // by begin
  std::size_t count_ = 0;
  std::uint64_t largest_ = 0;
  Span span_;
};

} // namespace gputest::simulator

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A channel for calls from a process without a GPU to the server that has it. Both are forks of one
// process, so the program's functions and variables have the same addresses in both. Both share
// this memory.
//
// One call is made at a time. The caller writes arguments to `values` and names a function. The
// server runs the function, which writes its results to `values`.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gputest::cuda::gpu {

struct Channel {
  static constexpr std::size_t kValues = std::size_t{40} << 10; // arguments of a kernel have at
                                                                // most 32,764 bytes
  static constexpr std::size_t kBytes = std::size_t{16} << 20;  // of one part of a copy

  // Returns a channel of zeros in shared memory, or null if there is no memory.
  static Channel* make();

  // Runs `what` in the server. Returns false if it has not ended by `until`.
  using Clock = std::chrono::steady_clock;
  bool ask(void (*what)(Channel&), Clock::time_point until = Clock::time_point::max());
  // In the server: waits for a call, runs it and then `after`.
  template <typename After> void answer(After&& after) {
    wait(1, Clock::time_point::max());
    function(*this);
    after();
    give(0);
  }

  std::atomic<std::uint32_t> is_servers; // 1: the server's turn, 0: the caller's
  // 1: a loop of a mutant has used up its budget, so the rest of the run is meaningless.
  std::atomic<std::uint32_t> is_endless;
  // The name of a function that the program has called and the server cannot run, or "".
  char refused[128];
  void (*function)(Channel&);
  std::size_t read, written; // bytes of `values`
  alignas(16) std::byte values[kValues];
  alignas(4096) std::byte bytes[kBytes];

  void clear() { read = written = 0; }
  // Returns false if there is no room.
  bool put(const void* from, std::size_t size) {
    if (size > kValues - written)
      return false;
    std::memcpy(values + written, from, size);
    written += size;
    return true;
  }
  void take(void* to, std::size_t size) {
    std::memcpy(to, values + read, size);
    read += size;
  }
  template <typename Value> bool put(const Value& value) { return put(&value, sizeof value); }
  template <typename Value> Value take() {
    Value value;
    take(&value, sizeof value);
    return value;
  }

private:
  bool wait(std::uint32_t turn, Clock::time_point until);
  void give(std::uint32_t turn);
};

} // namespace gputest::cuda::gpu

// Calls from a process without a GPU to one that has it. Both are forks of the same process, so
// that functions and variables of the program have the same addresses in both, and share this
// memory.
//
// One call is made at a time: the caller writes its arguments into `values` and names a function,
// which the server runs, and which writes its results there.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gputest::cuda::gpu {

struct Channel {
  static constexpr std::size_t kValues = std::size_t{40} << 10; // a kernel has at most 32,764 bytes
  static constexpr std::size_t kBytes = std::size_t{16} << 20;  // of a copy, at once

  // Zeros. Null: there is no memory.
  static Channel* make();

  // Runs `function` in the server. False: it has not ended at `until`.
  using Clock = std::chrono::steady_clock;
  bool ask(void (*what)(Channel&), Clock::time_point until = Clock::time_point::max());
  // Waits for a call, and runs it and then `after`.
  template <typename After> void answer(After&& after) {
    wait(1, Clock::time_point::max());
    function(*this);
    after();
    give(0);
  }

  std::atomic<std::uint32_t> is_servers; // 1: the server's turn, 0: the caller's
  // A loop of a mutant has used its budget up: what the program does from now on says nothing.
  std::atomic<std::uint32_t> is_endless;
  // The program has called something that cannot be run in the server: its name, or "".
  char refused[128];
  void (*function)(Channel&);
  std::size_t read, written; // bytes of `values`
  alignas(16) std::byte values[kValues];
  alignas(4096) std::byte bytes[kBytes];

  void clear() { read = written = 0; }
  // False: there is no room.
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

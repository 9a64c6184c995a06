// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state buffer of one kernel of one variant on one device. All launches of the kernel in this
// process record there, because their records only add up. Its content is a file of the run folder.
#pragma once

#include "layer/opencl/implementation.h"
#include "layer/run_log.h"
#include "runtime/cases/bytes.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

namespace gputest::layer {

// The number of launches follows the state in the file, in 8 bytes.
constexpr std::size_t kLaunchCountBytes = 8;

class StateBuffer {
public:
  // `shared`: the device's memory is the host's, so kernels write to the file themselves. Otherwise
  // collect() reads the device's memory. Without a context, the memory is only that of the file:
  // bytes(). Throws std::runtime_error.
  StateBuffer(cl_context context, cl_device_id device, const runtime::Bytes& initial,
              const std::filesystem::path& file, bool shared);
  StateBuffer(const StateBuffer&) = delete;
  StateBuffer& operator=(const StateBuffer&) = delete;
  ~StateBuffer(); // calls collect()

  cl_mem buffer() const { return buffer_; }
  std::span<std::byte> bytes() const { return file_->bytes().first(size_); }
  void count_launch();

  // Writes what has been recorded so far to the file. Waits for no kernel, and no longer than
  // kPatience for the device. `now`: even if it was done a moment ago.
  void collect(bool now);

private:
  static constexpr std::chrono::seconds kPatience{2};
  using Clock = std::chrono::steady_clock;

  // A shared buffer has the file as well, because a launch may outlive the kernel that the program
  // has released.
  std::shared_ptr<MappedFile> file_;
  std::size_t size_;
  cl_mem buffer_ = nullptr;
  cl_command_queue queue_ = nullptr; // nullptr: the memory is shared
  std::mutex mutex_;
  runtime::Bytes staging_;
  std::uint64_t collected_ = 0; // the number of launches at the last collection
  bool is_stuck_ = false;
  Clock::time_point next_{}; // collecting takes no more than a tenth of the time
};

} // namespace gputest::layer

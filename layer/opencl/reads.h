// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records what the program reads back: a hash of each piece, in the order in which the program
// asked for it. Two runs with the same hashes have seen the same outputs. The pieces of
// Settings::keep_reads are kept as they are.
#pragma once

#include "layer/opencl/implementation.h"
#include "layer/opencl/services.h"

#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace gputest::layer {

// Rows of bytes in host memory, for rectangles and images.
struct Region {
  const std::byte* begin = nullptr;
  std::size_t row = 0;                        // bytes in a row
  std::size_t rows = 1, slices = 1;           // the number of rows and slices
  std::size_t row_pitch = 0, slice_pitch = 0; // bytes from one row or slice to the next
  cl_mem source = nullptr; // the memory object whose content it is; nullptr: unknown
};

// Returns a hash of all bytes, in order; never 0.
std::uint64_t hash(const Region& region);

class Reads {
public:
  explicit Reads(Services& services) : services_(services) {}

  // complete(): the command that fills `region` is complete. enqueued(): it has been enqueued, and
  // `event` tells when it is complete. The event is kept until then.
  void complete(const Region& region);
  void enqueued(const Region& region, cl_event event);

  // Called before the program continues after waiting. Hashes what has arrived meanwhile.
  void look();

private:
  struct Pending {
    std::size_t index;
    Region region;
    cl_event event;
  };
  void note_thread();
  void record(std::size_t index, const Region& region);
  void keep(std::size_t index, const Region& region);

  Services& services_;
  std::mutex mutex_;
  std::size_t count_ = 0;
  std::thread::id first_; // the first thread that read anything back
  bool has_several_ = false;
  std::vector<Pending> pending_;
};

} // namespace gputest::layer

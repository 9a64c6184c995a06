// What the program reads back: a hash of each piece, by the order in which it was asked for. Two
// runs whose hashes are the same have seen the same outputs. Those of Settings::keep_reads are
// kept.
#pragma once

#include "layer/services.h"

#include <CL/cl.h>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace gputest::layer {

// Rows of bytes in host memory, as rectangles and images have them.
struct Region {
  const std::byte* begin = nullptr;
  std::size_t row = 0;                        // bytes in a row
  std::size_t rows = 1, slices = 1;           // of them
  std::size_t row_pitch = 0, slice_pitch = 0; // bytes from one to the next
  cl_mem source = nullptr;                    // whose content it is; nullptr: not known
};

// A hash of all bytes, in order; never 0.
std::uint64_t hash(const Region& region);

class Reads {
public:
  explicit Reads(Services& services) : services_(services) {}

  // The command that fills `region` is complete; or it has been enqueued, and `event` says when.
  // Keeps the event until then.
  void complete(const Region& region);
  void enqueued(const Region& region, cl_event event);

  // Before the program goes on after waiting: hashes what has come meanwhile.
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
  std::thread::id first_; // that read anything back
  bool has_several_ = false;
  std::vector<Pending> pending_;
};

} // namespace gputest::layer

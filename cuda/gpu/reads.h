// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records what the program reads back from a GPU (cuda/records/reads.h), if GPUTEST_GPU_READS is
// set. A piece is what one copy to the host brings, as its wrapper sees it. When the program waits
// for the GPU, these are pieces, too: copies to pinned memory that it did not wait for, and all
// memory that it shares with the GPU. A process and its forks, whose calls a server makes, record
// the same pieces.
#pragma once

#include "cuda/gpu/remote_memory.h"
#include "cuda/records/reads.h"

#include <mutex>
#include <vector>

namespace gputest::cuda::gpu {

class Reads {
public:
  static Reads& get();

  void stop(); // the server's calls are not the program's

  // Is called after a copy to these rows. `from`: null if it is a variable or an array of the
  // device. `waits`: it has ended, wherever the rows are. This and the next two return `error`.
  int copied(int error, const Rows& to, const void* from, int kind, bool waits);
  // Is called after the program has allocated memory that both sides access.
  int shared(int error, void* const* memory, std::size_t size);
  // Is called after the program has waited for the GPU.
  int synchronised(int error);
  // Is called before memory is released.
  void forget(const void* memory);

private:
  struct Bytes {
    const std::byte* first;
    std::size_t size;
  };
  Reads() : back_("GPUTEST_GPU_READS") {}

  void add(const Rows& rows);

  std::recursive_mutex mutex_;
  bool stopped_ = false;
  ReadBack back_;
  std::vector<Rows> awaited_; // targets of copies that may not have ended
  std::vector<Bytes> shared_; // in the order in which they were allocated
};

} // namespace gputest::cuda::gpu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The datagrams that `gputest run-cuda` and a CUDA program exchange, where the program stays in
// front of its main() (cuda/gpu/forks.h).
#pragma once

#include <cstdint>

namespace gputest::model {

// The first datagram, from the program.
struct CudaForkHello {
  std::int32_t process;
  char refused[128]; // why it cannot run this way, after which it ends; or ""
};

// A request to run a mutant. Two texts follow it, of `mutant_size` and `output_size` bytes: the
// active mutant in each source that has it, "<source>:<number> …", and the name of the file for
// what the program writes.
struct CudaFork {
  std::uint32_t budget; // iterations of loops
  std::uint32_t mutant_size, output_size;
  double timeout; // seconds; 0: none
};

struct CudaForkResult {
  std::int32_t exit_code, signal;
  bool timed_out;
  bool is_endless;   // a loop has used up the budget
  bool is_lost;      // the process that makes the calls has ended
  char refused[128]; // a call that cannot be made for another process; or ""
  double seconds;
};

} // namespace gputest::model

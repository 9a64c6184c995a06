// What `gputest run-cuda` and a CUDA program that stays in front of its main() tell each other
// (cuda/gpu/forks.h), each in a datagram.
#pragma once

#include <cstdint>

namespace gputest::model {

// First, from the program.
struct CudaForkHello {
  std::int32_t process;
  char refused[128]; // why it cannot be run so, and it then ends; or ""
};

// The active mutant in each source that has it, "<source>:<number> …", and the name of the file for
// what the program writes follow, `mutant_size` and `output_size` bytes.
struct CudaFork {
  std::uint32_t budget; // of the iterations of loops
  std::uint32_t mutant_size, output_size;
  double timeout; // seconds; 0: none
};

struct CudaForkResult {
  std::int32_t exit_code, signal;
  bool timed_out;
  bool is_endless;   // a loop has used the budget up
  bool is_lost;      // who makes the calls has ended
  char refused[128]; // a call that cannot be made for another process; or ""
  double seconds;
};

} // namespace gputest::model

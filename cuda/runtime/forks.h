// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program many times from one process, which stops in front of main()
// (cuda/records/fork_server.h). Each run is a fork, with a fork of the simulator that has loaded
// the program's device code, and with a copy of the device's memory.
//
// GPUTEST_CUDA_SIMULATOR_FORKS is the descriptor of the socket.
#pragma once

namespace gputest::cuda {

// Returns only in a fork that is to run the program, or at once if the variable is not set.
void serve_simulated_forks();

} // namespace gputest::cuda

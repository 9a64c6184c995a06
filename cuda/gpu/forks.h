// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program many times from one process, which stops in front of main(). Each run is a fork,
// and a server that keeps the GPU makes the forks' calls of CUDA (server.h). That is faster,
// because the driver needs longer to start using a GPU than most tests take.
//
// GPUTEST_CUDA_FORKS is the descriptor of the socket of cuda/records/fork_server.h.
#pragma once

namespace gputest::cuda::gpu {

// Returns only in a fork that is to run the program, or at once if GPUTEST_CUDA_FORKS is not set.
void serve_forks();

} // namespace gputest::cuda::gpu

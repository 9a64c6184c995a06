// A program that stays in front of its main(), so that it need not begin again for each mutant:
// each is run in a fork, and the forks' calls of CUDA are made by a server that keeps the GPU
// (server.h). A process that begins to use a GPU takes the driver longer than most tests take.
//
// GPUTEST_CUDA_FORKS names a socket of datagrams (SOCK_SEQPACKET). The program says why it cannot
// be run so, or nothing, and then runs what it is sent (model/mutation/cuda_forks.h), one after the
// other. It ends with who holds the other end of the socket.
#pragma once

namespace gputest::cuda::gpu {

// Returns in a fork, and at once without the variable.
void serve_forks();

} // namespace gputest::cuda::gpu

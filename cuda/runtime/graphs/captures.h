// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Captures of streams, and what calls must not do while there are any.
#pragma once

#include "cuda/runtime/call.h"

#include <list>

namespace gputest::cuda {

// All streams that the program has created. The caller holds the state's lock.
std::list<cudaStream_t>& created_streams();

// Whether a capture goes on. Events may outlive the capture in which they were recorded.
bool goes_on(const CUgraph_st* capture);

// What a call waits for, or changes. The programming guide lists such calls under "Prohibited and
// Unhandled Operations".
enum class Unsafe {
  LegacyStream, // waits for the captured work of streams that are not cudaStreamNonBlocking
  Device,       // waits for all streams
  OtherStream,  // waits for work that is not captured: captures of mode relaxed allow it
  Memory,       // allocates or frees, which may wait: the same
};

// Makes the captures that forbid it invalid, and sets the thread's last error, which is returned:
// as an H200 with CUDA 13 has them. cudaSuccess: no capture forbids it.
cudaError_t end_captures_by(Unsafe use);

// The same for a call that waits for the stream's, or the event's, work.
cudaError_t end_captures_by_waiting(cudaStream_t stream);
cudaError_t end_captures_by_waiting(const CUevent_st& event);

} // namespace gputest::cuda

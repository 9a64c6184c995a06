// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pinned and managed memory for a process that uses a server. Both processes and kernels have it at
// the same address.
#pragma once

#include <cstddef>

namespace gputest::cuda::gpu {

// Reserves addresses. To be called before the first fork. Returns false if there is no room.
bool reserve_shared_memory();

// For the process without the GPU: allocates zeros. Freed memory is not used again in the same run.
// Returns an error of CUDA's, or 0.
int allocate_shared(void** memory, std::size_t size);
bool is_shared(const void* address);

} // namespace gputest::cuda::gpu

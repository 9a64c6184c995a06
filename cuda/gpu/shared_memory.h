// Memory of the host that kernels access, too: pinned and managed memory of a process whose calls a
// server makes. Both have it at the same address.
#pragma once

#include <cstddef>

namespace gputest::cuda::gpu {

// Before the first fork. False: there is no room for it.
bool reserve_shared_memory();

// In the process without the GPU. Zeros; an error of CUDA's, or 0. What is given back is used by no
// other allocation of the process.
int allocate_shared(void** memory, std::size_t size);
bool is_shared(const void* address);

} // namespace gputest::cuda::gpu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work of a library that the host does on the device's memory, such as cuBLAS (cuda/libraries/). It
// is work of a stream like a copy: it comes after the stream's earlier work, and the checks see
// what it reads and writes.
#pragma once

#include "cuda/include/cuda_runtime_api.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gputest::cuda {

// Bytes that a call accesses: `rows` pieces. Piece i begins at begin + i * pitch and has
// bytes + i * growth bytes, so triangles of matrices have a shape, too.
struct Operand {
  std::string name; // as the library's documentation has it: "A"
  const void* begin = nullptr;
  std::size_t bytes = 0, rows = 1;
  std::ptrdiff_t pitch = 0, growth = 0;
  bool reads = false, writes = false;
  bool may_be_unwritten = false; // only some of what it reads decides the result
};

struct HostWork {
  std::string call; // "cublasSgemm()"
  std::vector<Operand> operands;
  // Adds operands that only memory tells, which the work reads when it begins; may be empty.
  std::function<void(std::vector<Operand>&)> find_more;
  std::function<void()> run; // accesses memory at gputest_cuda_host_place()
};

} // namespace gputest::cuda

extern "C" {
// Puts the work into the stream. If an operand is not in the device's memory, the work is not done;
// that is a finding, and ends the use of the device as a kernel's fault does, unless BOUNDS is
// checked. Returns the error of the work if it is done at once.
cudaError_t gputest_cuda_host_work(cudaStream_t stream, const gputest::cuda::HostWork& work);

// Returns the address at which the host can access the same bytes. A pointer that is none of the
// device's is returned as it is.
void* gputest_cuda_host_place(const void* pointer);
}

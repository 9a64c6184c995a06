// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what a call of a CUDA kernel gives, and names files after such kernels.
#pragma once

#include "gputest/run_kernel.h"
#include "runtime/machine/kind.h"

#include <string>
#include <string_view>
#include <vector>

namespace gputest::runtime {

// Throws UsageError for options and arguments that only kernels of OpenCL C can have. `what` is
// what messages call the kernel.
void expect_of_cuda(const RunOptions& options, const MachineKind& machine,
                    const std::vector<detail::KernelArgument>& given, const std::string& what);

// Returns a file name that no other kernel has. "sum" stays "sum", and saxpy<float> becomes
// "saxpy%3Cfloat%3E": '%' and two hexadecimal digits replace each character that is not part of a
// name.
std::string as_file_name(std::string_view kernel);

} // namespace gputest::runtime

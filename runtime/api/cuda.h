// What calls of CUDA kernels may give, and what such kernels are called.
#pragma once

#include "gputest/run_kernel.h"
#include "runtime/machine/kind.h"

#include <string>
#include <string_view>
#include <vector>

namespace gputest::runtime {

// Throws UsageError for what only kernels of OpenCL C have. `what` is what messages call the
// kernel.
void expect_of_cuda(const RunOptions& options, const MachineKind& machine,
                    const std::vector<detail::KernelArgument>& given, const std::string& what);

// Names of OpenCL C stay what they are. saxpy<float> becomes "saxpy%3Cfloat%3E": each other letter
// is '%' and two hexadecimal digits, so that no two kernels share a file.
std::string as_file_name(std::string_view kernel);

} // namespace gputest::runtime

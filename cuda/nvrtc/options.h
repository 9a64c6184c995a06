// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates NVRTC's options to those of gputest-cuda.
#pragma once

#include <string>
#include <vector>

namespace gputest::cuda::nvrtc {

struct Options {
  std::vector<std::string> compiler; // for gputest-cuda
  bool for_gpu = false;              // the architecture is sm_…, so programs may ask for a cubin
  bool default_device = false;       // functions without attributes are device functions
  std::string wrong;                 // why the options are invalid; or ""
};

Options read_options(const std::vector<std::string>& options);

} // namespace gputest::cuda::nvrtc

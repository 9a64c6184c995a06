// NVRTC's options, as gputest-cuda takes them.
#pragma once

#include <string>
#include <vector>

namespace gputest::cuda::nvrtc {

struct Options {
  std::vector<std::string> compiler; // for gputest-cuda
  bool for_gpu = false;              // an architecture sm_…: programs may ask for a cubin
  bool default_device = false;       // functions without attributes are the device's
  std::string wrong;                 // empty, or what is wrong with them
};

Options read_options(const std::vector<std::string>& options);

} // namespace gputest::cuda::nvrtc

// A GPU where there is none: CUDA's driver API by way of the simulator, and gputest-cuda as nvcc.
#pragma once

#include <map>
#include <string>

namespace gputest::tests {

inline std::map<std::string, std::string> simulated_gpu() {
  return {{"GPUTEST_CUDA_DRIVER", GPUTEST_SIMULATED_DRIVER},
          {"CUDAToolkit_ROOT", GPUTEST_SIMULATED_TOOLKIT},
          {"GPUTEST_SIMULATOR", GPUTEST_SIMULATOR_PROGRAM}};
}

} // namespace gputest::tests

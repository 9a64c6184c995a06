// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/registry.h"

#include "runtime/machine/cuda/machine.h"
#include "runtime/machine/opencl/machine.h"
#include "runtime/machine/simulator/machine.h"

#include <array>

namespace gputest::runtime {

// runtime/CMakeLists.txt writes a line of the list for each row of model/analyses.cpp.
#define GPUTEST_ANALYSIS(name) AnalysisRun name##_analysis();
#include "analyses.def"

Registry registry() {
  static const std::array kinds{opencl_kind(), simulator_kind(), cuda_kind()};
  static const std::array runs{
#define GPUTEST_ANALYSIS(name) name##_analysis(),
#include "analyses.def"
  };
  return {kinds, model::analyses(), runs};
}

} // namespace gputest::runtime

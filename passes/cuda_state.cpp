// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/cuda_state.h"

#include "embedded/state_h.h"
#include "model/mutation/cuda_state.h"

#include <fmt/format.h>

namespace gputest::passes {

std::string cuda_state(const std::string& variant, const std::string& unit) {
  if (unit.empty())
    return fmt::format("{}#define GPUTEST_STATE gputest_state\n"
                       "#define GPUTEST_FIRST GPUTEST_STATE_HEADER_WORDS\n"
                       "#define GPUTEST_ACTIVE (GPUTEST_STATE[GPUTEST_STATE_TRACE] ? 0xffffffffu : "
                       "GPUTEST_STATE[GPUTEST_STATE_ACTIVE])\n"
                       "#define GPUTEST_BUDGET GPUTEST_STATE[GPUTEST_STATE_BUDGET]\n"
                       "#define GPUTEST_ITERATIONS GPUTEST_STATE_ITERATIONS\n"
                       "#define GPUTEST_EVENTS GPUTEST_STATE_EVENTS\n"
                       "#ifdef GPUTEST_GPU\n"
                       "extern \"C\" {{ __device__ unsigned long long gputest_told; }}\n"
                       "#define GPUTEST_TOLD gputest_told\n"
                       "#else\n#define GPUTEST_TOLD 0ull\n#endif\n",
                       embedded::state_h);
  const std::string state = fmt::format("#define GPUTEST_STATE gputest_{}_{}\n", variant, unit);
  if (variant != "mutants")
    return state + "#define GPUTEST_FIRST 0\n";
  return state + fmt::format("#define GPUTEST_ACTIVE GPUTEST_STATE[{}]\n"
                             "#define GPUTEST_BUDGET GPUTEST_STATE[{}]\n"
                             "#define GPUTEST_ITERATIONS {}\n#define GPUTEST_EVENTS {}\n"
                             "#define GPUTEST_TOLD "
                             "(GPUTEST_STATE[{}] | (unsigned long long)GPUTEST_STATE[{}] << 32)\n"
                             "#define GPUTEST_FIRST {}\n",
                             +model::kCudaActive, +model::kCudaBudget, +model::kCudaIterations,
                             +model::kCudaEvents, +model::kCudaTold, model::kCudaTold + 1,
                             +model::kCudaReached);
}

} // namespace gputest::passes

#include "passes/cuda_state.h"

#include "embedded/state_h.h"

#include <fmt/format.h>

namespace gputest::passes {

std::string cuda_state(const std::string& variant, const std::string& unit) {
  if (unit.empty())
    return fmt::format("{}#define GPUTEST_STATE gputest_state\n"
                       "#define GPUTEST_FIRST GPUTEST_STATE_HEADER_WORDS\n"
                       "#define GPUTEST_ACTIVE (GPUTEST_STATE[GPUTEST_STATE_TRACE] ? 0xffffffffu : "
                       "GPUTEST_STATE[GPUTEST_STATE_ACTIVE])\n",
                       embedded::state_h);
  return fmt::format("#define GPUTEST_STATE gputest_{}_{}\n#define GPUTEST_FIRST {}\n"
                     "#define GPUTEST_ACTIVE GPUTEST_STATE[0]\n",
                     variant, unit, variant == "mutants" ? 1 : 0);
}

} // namespace gputest::passes

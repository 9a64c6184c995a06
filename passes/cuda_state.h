// Where instrumented CUDA C++ has its state: a variable of the device.
#pragma once

#include <string>

namespace gputest::passes {

// The definitions that templates/coverage.cuh and mutants.cuh need. Of a program's unit the
// variable is gputest_<variant>_<unit>, and holds the words of model/mutation/cuda_state.h, if the
// variant has mutants, and then bits. Of a kernel that is launched by itself (no unit) it is
// gputest_state, laid out as templates/state.h says.
std::string cuda_state(const std::string& variant, const std::string& unit);

} // namespace gputest::passes

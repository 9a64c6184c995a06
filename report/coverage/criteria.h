// The criteria in the order in which reports show them.
#pragma once

#include "model/coverage.h"

#include <array>

namespace gputest::report {

inline constexpr std::array kCriteria{model::Criterion::Statement, model::Criterion::Branch,
                                      model::Criterion::Condition, model::Criterion::Loop,
                                      model::Criterion::Barrier};

} // namespace gputest::report

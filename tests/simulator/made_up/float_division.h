// A check that there is not: floating-point divisions by zero. One file and one row of a table.
#pragma once

#include "simulator/checks/check.h"

namespace gputest::simulator::tests {

const Check& float_division_check();

} // namespace gputest::simulator::tests

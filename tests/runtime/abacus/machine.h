// A made-up kind of machine, which shows what a kind consists of: this folder, and a row in the
// table that a host program is given (tests/runtime/harness_fixture.cpp). It has its own name, is
// slow at everything, and has an OpenCL device do the work. It may be told to translate wrongly.
#pragma once

#include "runtime/machine/kind.h"

namespace gputest::tests {

runtime::MachineKind abacus_kind();

} // namespace gputest::tests

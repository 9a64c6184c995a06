// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRE, for cases that people wrote.
#pragma once

#include "model/interface.h"
#include "model/language.h"
#include "runtime/cases/bound_case.h"

#include <string>
#include <vector>

namespace gputest::runtime {

// Throws ExpressionError for a text that is no condition, names an argument that the kernel does
// not have, or does not fit one. In CUDA C++ an unknown name may be that of a __shared__ array.
void check_requirements(const std::vector<std::string>& requirements,
                        const model::KernelInterface& kernel, model::Language language);

// Returns the first requirement that the case breaks, and where: `REQUIRE "ascending(row_start)"
// does not hold: row_start[2] is 1 after 4`. Empty: it obeys all. Requirements on __shared__ arrays
// are not known here, and count as obeyed.
std::string broken_requirement(const BoundCase& test_case,
                               const std::vector<std::string>& requirements,
                               const model::KernelInterface& kernel);

} // namespace gputest::runtime

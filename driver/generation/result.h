// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the result of generating cases for its page.
#pragma once

#include "report/generation/html.h"
#include "testgen/generation/generate.h"

namespace gputest::driver {

report::GenerationResult generation_result(const testgen::Target& target,
                                           const testgen::Generated& generated);

} // namespace gputest::driver

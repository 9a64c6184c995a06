// What generating came to, as its page has it.
#pragma once

#include "report/generation/html.h"
#include "testgen/generate.h"

namespace gputest::driver {

report::GenerationResult generation_result(const testgen::Target& target,
                                           const testgen::Generated& generated);

} // namespace gputest::driver

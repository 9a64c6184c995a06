// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs as the launches and arguments of the tracer, and back.
#pragma once

#include "testgen/concolic/trace.h"
#include "testgen/inputs/input.h"
#include "testgen/inputs/target.h"

#include <optional>
#include <vector>

namespace gputest::testgen {

Launch launch_of(const Shape& shape);
std::vector<Argument> arguments_of(const Target& target, const Input& input);

// Returns `input` with the launch and the arguments of an answer. nullopt: a launch that inputs do
// not have.
std::optional<Input> with_answer(Input input, const Launch& launch,
                                 const std::vector<Argument>& arguments, const Target& target);

} // namespace gputest::testgen

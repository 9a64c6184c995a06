// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --lock-step: so many work-items of a kernel run in lock step (model/launches/lock_step.h).
#pragma once

#include <cstdint>
#include <cxxopts.hpp>
#include <string>
#include <vector>

namespace gputest::driver {

constexpr const char *kLockStepOption = "lock-step",
                     *kLockStepHelp = "So many neighbouring work-items run in lock step";

// Returns the number, which is 0 without the option. Throws CommandError for one that is
// impossible.
std::uint64_t lock_step_option(const cxxopts::ParseResult& arguments);

// Adds the macro that asks the simulator for it to those of a source, if the option is given.
// Throws CommandError if they ask for another number.
void define_lock_step(const cxxopts::ParseResult& arguments, std::vector<std::string>& definitions);

} // namespace gputest::driver

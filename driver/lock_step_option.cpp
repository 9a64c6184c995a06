// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/lock_step_option.h"

#include "driver/command_error.h"
#include "model/launches/lock_step.h"

#include <fmt/format.h>

namespace gputest::driver {

std::uint64_t lock_step_option(const cxxopts::ParseResult& arguments) {
  const auto given = optional_whole(arguments, kLockStepOption);
  if (given && !model::is_lock_step(*given))
    throw CommandError(fmt::format("error: --{}: {}", kLockStepOption,
                                   model::no_lock_step(std::to_string(*given))));
  return given.value_or(0);
}

void define_lock_step(const cxxopts::ParseResult& arguments,
                      std::vector<std::string>& definitions) {
  const std::uint64_t lock_step = lock_step_option(arguments);
  if (lock_step == 0)
    return;
  const std::string made = model::lock_step_definition(lock_step);
  for (const std::string& definition : definitions)
    if (definition.starts_with(std::string(model::kLockStepMacro) + '=') && definition != made)
      throw CommandError(fmt::format("error: --{} {} and -D {} exclude each other: leave out -D",
                                     kLockStepOption, lock_step, definition));
  definitions.push_back(made);
}

} // namespace gputest::driver

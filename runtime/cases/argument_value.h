// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said of an argument in several places, put together.
#pragma once

#include "model/interface.h"
#include "runtime/cases/case_file.h"

#include <filesystem>

namespace gputest::runtime {

// Returns what the edited interface says about an argument. Throws UsageError.
ArgumentValue from_interface(const model::Argument& argument, const std::filesystem::path& folder);

// Fields that `value` leaves open come from `fallback`.
void complete(ArgumentValue& value, const ArgumentValue& fallback);

} // namespace gputest::runtime

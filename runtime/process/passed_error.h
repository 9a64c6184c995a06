// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes an exception from a worker process to its parent.
#pragma once

#include "runtime/cases/values.h"

#include <exception>

namespace gputest::runtime {

// Returns the message for the parent.
Json message_of(const std::exception& error);

// Throws the exception again in the parent, as NoDevice, UsageError, BuildError, or else
// DeviceError.
[[noreturn]] void rethrow(const Json& fatal);

} // namespace gputest::runtime

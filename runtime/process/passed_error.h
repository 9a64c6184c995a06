// An exception that a worker process passes to its parent.
#pragma once

#include "runtime/cases/values.h"

#include <exception>

namespace gputest::runtime {

// What the parent is told of it.
Json message_of(const std::exception& error);

// Throws it again in the parent: NoDevice, UsageError, BuildError, or else DeviceError.
[[noreturn]] void rethrow(const Json& fatal);

} // namespace gputest::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes an exception from a worker process to its parent.
#pragma once

#include "model/json.h"

#include <exception>
#include <optional>
#include <string>
#include <tuple>

namespace gputest::runtime {

struct PassedError {
  int exit_code = 3;
  std::string message{};
  std::optional<std::string> log{}; // of a build
  bool operator==(const PassedError&) const = default;
};
using model::from_json, model::to_json;
constexpr auto fields_of(const PassedError*) {
  using T = PassedError;
  return std::tuple{model::field("exit", &T::exit_code), model::field("message", &T::message),
                    model::field("log", &T::log)};
}

// Returns the message for the parent.
PassedError passed_error_of(const std::exception& error);

// Throws the exception again in the parent, as NoDevice, UsageError, BuildError, or else
// DeviceError.
[[noreturn]] void rethrow(const PassedError& error);

} // namespace gputest::runtime

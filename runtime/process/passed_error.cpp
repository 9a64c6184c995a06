// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/passed_error.h"

#include "gputest/error.h"
#include "model/interface.h"
#include "store/store.h"

#include <string_view>

namespace gputest::runtime {
namespace {

int exit_code_of(const std::exception& error) {
  if (dynamic_cast<const NoDevice*>(&error))
    return 77;
  const bool is_input =
      dynamic_cast<const UsageError*>(&error) || dynamic_cast<const model::FormatError*>(&error);
  if (const auto* store = dynamic_cast<const store::StoreError*>(&error))
    return store->exit_code();
  return is_input ? 2 : 3;
}

} // namespace

PassedError passed_error_of(const std::exception& error) {
  PassedError passed{.exit_code = exit_code_of(error), .message = error.what()};
  if (const auto* const build = dynamic_cast<const BuildError*>(&error))
    passed.log = build->log;
  return passed;
}

void rethrow(const PassedError& error) {
  const auto& [exit_code, message, log] = error;
  if (log)
    throw BuildError(message.substr(0, message.size() - log->size() - 1), *log);
  switch (exit_code) {
  case 77:
    throw NoDevice(message.substr(std::string_view("skipped: ").size()));
  case 2:
    throw UsageError(message);
  default:
    throw DeviceError(message);
  }
}

} // namespace gputest::runtime

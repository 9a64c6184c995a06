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

Json message_of(const std::exception& error) {
  Json message{{"exit", exit_code_of(error)}, {"message", error.what()}};
  if (const auto* const build = dynamic_cast<const BuildError*>(&error))
    message["log"] = build->log;
  return message;
}

void rethrow(const Json& fatal) {
  const auto message = fatal.at("message").get<std::string>();
  if (const auto log = fatal.find("log"); log != fatal.end()) {
    const auto text = log->get<std::string>();
    throw BuildError(message.substr(0, message.size() - text.size() - 1), text);
  }
  switch (fatal.at("exit").get<int>()) {
  case 77:
    throw NoDevice(message.substr(std::string_view("skipped: ").size()));
  case 2:
    throw UsageError(message);
  default:
    throw DeviceError(message);
  }
}

} // namespace gputest::runtime

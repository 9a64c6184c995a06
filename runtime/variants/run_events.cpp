// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/variants/run_events.h"

#include "model/interface.h"

#include <fmt/format.h>
#include <type_traits>

namespace gputest::runtime {
namespace {

template <std::size_t kind = 0>
RunEvent event_from(const std::string& name, const model::Json& json) {
  if constexpr (kind == std::variant_size_v<RunEvent>) {
    throw model::FormatError(fmt::format("the event '{}' is unknown", name));
  } else {
    using T = std::variant_alternative_t<kind, RunEvent>;
    if (name != T::kEvent)
      return event_from<kind + 1>(name, json);
    T event;
    model::read_fields(json, event, fields_of(&event));
    return event;
  }
}

} // namespace

std::string line_of(const RunEvent& event) {
  const model::Json json = std::visit(
      [](const auto& one) {
        model::Json written{{"event", std::remove_cvref_t<decltype(one)>::kEvent}};
        model::write_fields(written, one, fields_of(&one));
        return written;
      },
      event);
  return json.dump(-1, ' ', false, model::Json::error_handler_t::replace);
}

std::optional<RunEvent> read_run_event(std::string_view line) {
  model::Json json;
  try {
    json = model::parse_json(line);
  } catch (const model::FormatError&) {
    return std::nullopt;
  }
  return event_from(model::required<std::string>(json, "event"), json);
}

void expect_log_format(const RunEvent& first) {
  const auto* process = std::get_if<ProcessEvent>(&first);
  const std::optional<std::string> format = process ? process->format : std::nullopt;
  if (format != kRunLogFormat)
    throw model::FormatError(fmt::format(
        "the log {}, expected '{}': the layer that wrote it and this gputest are of "
        "different versions; use those of one installation, and run the program again",
        format ? fmt::format("has the format '{}'", *format) : "has no format", kRunLogFormat));
}

} // namespace gputest::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/variants/run_events.h"

#include "model/interface.h"

#include <fmt/format.h>
#include <type_traits>

// Lets nlohmann-json call the functions of model/.
namespace gputest::model {

static void to_json(Json& json, const Type& type) {
  json = to_json(type);
}
static void from_json(const Json& json, Type& type) {
  type = type_from_json(json);
}
static void to_json(Json& json, const Finding& finding) {
  json = to_json(finding);
}
static void from_json(const Json& json, Finding& finding) {
  finding = finding_from_json(json);
}

} // namespace gputest::model

namespace gputest::runtime::events {
namespace {

using Json = model::Json;

template <std::size_t kind = 0> Event event_from(const std::string& name, const Json& json) {
  if constexpr (kind == std::variant_size_v<Event>) {
    throw model::FormatError(fmt::format("the event '{}' is unknown", name));
  } else {
    using T = std::variant_alternative_t<kind, Event>;
    if (name != T::kEvent)
      return event_from<kind + 1>(name, json);
    T event;
    model::read_fields(json, event, fields_of(&event));
    return event;
  }
}

} // namespace

std::string line_of(const Event& event) {
  const Json json = std::visit(
      [](const auto& one) {
        Json written{{"event", std::remove_cvref_t<decltype(one)>::kEvent}};
        model::write_fields(written, one, fields_of(&one));
        return written;
      },
      event);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Event> read_event(std::string_view line) {
  Json json;
  try {
    json = model::parse_json(line);
  } catch (const model::FormatError&) {
    return std::nullopt;
  }
  return event_from(model::required<std::string>(json, "event"), json);
}

void expect_format(const Event& first) {
  const auto* process = std::get_if<Process>(&first);
  const std::optional<std::string> format = process ? process->format : std::nullopt;
  if (format != kFormat)
    throw model::FormatError(fmt::format(
        "the log {}, expected '{}': the layer that wrote it and this gputest are of "
        "different versions; use those of one installation, and run the program again",
        format ? fmt::format("has the format '{}'", *format) : "has no format", kFormat));
}

} // namespace gputest::runtime::events

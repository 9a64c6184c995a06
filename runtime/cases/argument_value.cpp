// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/argument_value.h"

#include "gputest/error.h"

#include <fmt/format.h>
#include <string>

namespace gputest::runtime {

ArgumentValue from_interface(const model::Argument& argument, const std::filesystem::path& folder) {
  const std::string what = fmt::format("interface, argument '{}'", argument.name);
  ArgumentValue value;
  value.size = argument.size;
  switch (argument.input) {
  case model::Input::Unset:
    break;
  case model::Input::Zero:
    value.fill = Fill{};
    break;
  case model::Input::Iota:
    value.fill = parse_fill("iota", what + ", fill");
    break;
  case model::Input::Random:
    value.fill =
        parse_fill(argument.value.empty() ? "random" : fmt::format("random({})", argument.value),
                   what + ", fill");
    break;
  case model::Input::Value: {
    const Json json = Json::parse(argument.value, nullptr, false);
    if (json.is_discarded())
      throw UsageError(fmt::format("{}: the value '{}' is not JSON", what, argument.value));
    if (json.is_null())
      value.is_null = true;
    else if (argument.pointer && json.is_number())
      value.fill = parse_fill(json, what + ", fill");
    else
      value.values = json;
    break;
  }
  case model::Input::File:
    value.file = folder / argument.file;
    break;
  }
  return value;
}

void complete(ArgumentValue& value, const ArgumentValue& fallback) {
  const bool own_content = value.has_content();
  if (!own_content) {
    value.values = fallback.values;
    value.fill = fallback.fill;
    value.file = fallback.file;
    value.is_null = fallback.is_null && !value.size;
  }
  // Values and files have their own size, and a null pointer has none. A size that is given
  // elsewhere, for other content, does not apply to them.
  if (!value.size && !value.is_null && !(own_content && (value.values || value.file)))
    value.size = fallback.size;
  if (!value.seed)
    value.seed = fallback.seed;
  if (value.shape.empty())
    value.shape = fallback.shape;
  if (value.channel_order.empty())
    value.channel_order = fallback.channel_order;
  if (value.channel_type.empty())
    value.channel_type = fallback.channel_type;
  if (value.addressing_mode.empty())
    value.addressing_mode = fallback.addressing_mode;
  if (value.filter_mode.empty())
    value.filter_mode = fallback.filter_mode;
  if (!value.normalized_coordinates)
    value.normalized_coordinates = fallback.normalized_coordinates;
  value.local = value.local || fallback.local;
  value.output = value.output || fallback.output;
}

} // namespace gputest::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of JSON that sites.json, coverage.json, mutants.json and other files share. Internal to
// model/.
#pragma once

#include "model/json.h"
#include "model/sites.h"

namespace gputest::model {

// Everything but the outcomes. Of a site without an end, the end is behind its first character.
constexpr auto fields_of_position() {
  return std::tuple{field("id", &Site::id),
                    field("criterion", &Site::criterion),
                    field<Presence::IfNotPlain>("kind", &Site::kind),
                    field<Presence::Written>("function", &Site::function),
                    field("file", &Site::file),
                    field("line", &Site::line),
                    field("column", &Site::column),
                    field<Presence::Written>("end_line", &Site::end_line),
                    field<Presence::Written>("end_column", &Site::end_column),
                    field("text", &Site::text)};
}
Site position_from_json(const Json& json);

constexpr auto fields_of(const NotInstrumented*) {
  using T = NotInstrumented;
  return std::tuple{
      field("file", &T::file),           field("line", &T::line),
      field("column", &T::column),       field<Presence::Written>("function", &T::function),
      field("construct", &T::construct), field("reason", &T::reason)};
}
constexpr auto fields_of(const NotCounted*) {
  using T = NotCounted;
  return std::tuple{field("criterion", &T::criterion), field("file", &T::file),
                    field("line", &T::line),           field("column", &T::column),
                    field("function", &T::function),   field("text", &T::text),
                    field("outcomes", &T::outcomes),   field("reason", &T::reason)};
}
constexpr auto fields_of(const Vote*) {
  using T = Vote;
  return std::tuple{field("word", &T::word),        field("function", &T::function),
                    field("file", &T::file),        field("line", &T::line),
                    field("column", &T::column),    field("text", &T::text),
                    field("barriers", &T::barriers)};
}
constexpr auto fields_of(const DeviceMacro*) {
  using T = DeviceMacro;
  return std::tuple{field("name", &T::name), field("value", &T::value), field("file", &T::file),
                    field("line", &T::line)};
}
constexpr auto fields_of(const Guard*) {
  using T = Guard;
  return std::tuple{field("function", &T::function), field("file", &T::file),
                    field("line", &T::line), field("column", &T::column), field("text", &T::text)};
}
constexpr auto fields_of(const SourceFile*) {
  return std::tuple{field("file", &SourceFile::file), field("digest", &SourceFile::digest)};
}

} // namespace gputest::model

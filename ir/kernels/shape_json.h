// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's shape as JSON, which only the same build reads.
#pragma once

#include "ir/kernel.h"
#include "model/json.h"

#include <llvm/ADT/StringExtras.h>

#include <string>
#include <tuple>

template <> struct nlohmann::adl_serializer<gputest::model::CodePlace> {
  static void to_json(ordered_json& json, const gputest::model::CodePlace& place) {
    json = {{"file", place.file}, {"line", place.line}, {"column", place.column}};
  }
  static void from_json(const ordered_json& json, gputest::model::CodePlace& place) {
    json.at("file").get_to(place.file);
    json.at("line").get_to(place.line);
    json.at("column").get_to(place.column);
  }
};

namespace gputest::ir {

using model::field, model::from_json, model::to_json;

// An enumerator, by its number, because only the same build reads it. `last`: the last one.
template <typename T, typename Enum> struct NumberedField {
  const char* key;
  Enum T::* member;
  Enum last;

  void write(model::Json& json, const T& structure) const {
    json[key] = static_cast<unsigned>(structure.*member);
  }
  void read(const model::Json& json, T& structure) const {
    const auto number = model::required<unsigned>(json, key);
    if (number > static_cast<unsigned>(last))
      throw model::FormatError(std::string("key '") + key + "' has the unknown value " +
                               std::to_string(number));
    structure.*member = static_cast<Enum>(number);
  }
};
template <typename T, typename Enum>
constexpr NumberedField<T, Enum> numbered(const char* key, Enum T::* member, Enum last) {
  return {key, member, last};
}

constexpr auto fields_of(const Parameter*) {
  using T = Parameter;
  return std::tuple{field("name", &T::name),
                    field("type", &T::type),
                    numbered("kind", &T::kind, T::Kind::Sampler),
                    field("offset", &T::offset),
                    field("size", &T::size),
                    field("constant", &T::constant),
                    field("pipe", &T::pipe)};
}

struct InitialBytesField { // they need not be UTF-8
  static constexpr const char* key = "initial";
  void write(model::Json& json, const Object& object) const {
    json[key] = llvm::toHex(object.initial);
  }
  void read(const model::Json& json, Object& object) const {
    object.initial = llvm::fromHex(model::required<std::string>(json, key));
  }
};
constexpr auto fields_of(const PointerInVariable*) {
  using T = PointerInVariable;
  return std::tuple{field("at", &T::at), field("variable", &T::variable),
                    field("offset", &T::offset)};
}

constexpr auto fields_of(const Object*) {
  using T = Object;
  return std::tuple{field("name", &T::name),
                    numbered("kind", &T::kind, T::Kind::Constant),
                    field("parameter", &T::parameter),
                    field("size", &T::size),
                    InitialBytesField(),
                    field("pointers", &T::pointers),
                    field("bytes", &T::bytes)};
}

constexpr auto fields_of(const CheckMessage*) {
  using T = CheckMessage;
  return std::tuple{field("kind", &T::kind), field("text", &T::text), field("cause", &T::cause)};
}

// `steps` and `ranges` matter only while code is made.
constexpr auto fields_of(const KernelShape*) {
  using T = KernelShape;
  return std::tuple{field("name", &T::name),
                    numbered("language", &T::language, Language::Cuda),
                    field("place", &T::place),
                    field("parameters", &T::parameters),
                    field("arguments_size", &T::arguments_size),
                    field("required_size", &T::required_size),
                    field("sites", &T::sites),
                    field("objects", &T::objects),
                    field("messages", &T::messages),
                    field("by_itself", &T::by_itself),
                    field("enqueues", &T::enqueues),
                    field("copies", &T::copies),
                    field("has_barriers", &T::has_barriers),
                    field("warps", &T::warps),
                    field("warp_size", &T::warp_size),
                    field("steps", &T::steps),
                    field("collectives", &T::collectives),
                    field("grid", &T::grid),
                    field("in_turns", &T::in_turns),
                    field("frame_size", &T::frame_size),
                    field("uninitialized", &T::uninitialized),
                    field("races", &T::races),
                    field("grain", &T::grain),
                    field("pixels", &T::pixels),
                    field("atomics", &T::atomics),
                    field("of_block", &T::of_block),
                    field("asyncs", &T::asyncs),
                    field("syncs", &T::syncs),
                    field("lock_step", &T::lock_step),
                    field("site_bits", &T::site_bits)};
}

} // namespace gputest::ir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cache keeps of a kernel beside its object code and its shape, as JSON: what its
// work-groups access.
#pragma once

#include "ir/kernels/shape_json.h"
#include "simulator/parallel/group_accesses.h"

#include <tuple>

namespace gputest::simulator {

using model::field, model::from_json, model::to_json;

constexpr auto fields_of(const Term*) {
  using T = Term;
  return std::tuple{ir::numbered("kind", &T::kind, T::Kind::Truncated), field("bits", &T::bits),
                    field("value", &T::value), field("left", &T::left), field("right", &T::right)};
}

constexpr auto fields_of(const Comparison*) {
  using T = Comparison;
  return std::tuple{field("left", &T::left), field("right", &T::right),
                    field("or_equal", &T::or_equal), field("is_signed", &T::is_signed)};
}

constexpr auto fields_of(const GroupAccess*) {
  using T = GroupAccess;
  return std::tuple{field("object", &T::object), field("offset", &T::offset),
                    field("size", &T::size),     field("writes", &T::writes),
                    field("update", &T::update), field("where", &T::where)};
}

constexpr auto fields_of(const GroupCount*) {
  using T = GroupCount;
  return std::tuple{field("start", &T::start),         field("step", &T::step),
                    field("limit", &T::limit),         field("or_equal", &T::or_equal),
                    field("is_signed", &T::is_signed), field("down", &T::down),
                    field("at_begin", &T::at_begin)};
}

constexpr auto fields_of(const GroupLoop*) {
  using T = GroupLoop;
  return std::tuple{field("repeats", &T::repeats), field("count", &T::count),
                    field("where", &T::where)};
}

constexpr auto fields_of(const GroupAccesses*) {
  using T = GroupAccesses;
  return std::tuple{field("unknown", &T::unknown), field("terms", &T::terms),
                    field("loops", &T::loops), field("comparisons", &T::comparisons),
                    field("accesses", &T::accesses)};
}

} // namespace gputest::simulator

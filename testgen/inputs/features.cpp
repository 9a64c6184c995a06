// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/features.h"

#include "runtime/cases/scalar.h"
#include "testgen/concolic/inputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace gputest::testgen {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 60;
constexpr std::size_t kFewest = 4; // samples

std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result) || result > kHuge || result < -kHuge)
    return (a < 0) == (b < 0) ? kHuge : -kHuge;
  return result;
}

// Sets of features, small ones first.
std::vector<std::vector<std::size_t>> products(std::size_t features) {
  std::vector<std::vector<std::size_t>> all{{}};
  for (std::size_t a = 0; a < features; ++a)
    all.push_back({a});
  for (std::size_t a = 0; a < features; ++a)
    for (std::size_t b = a; b < features; ++b)
      all.push_back({a, b});
  if (features <= 12)
    for (std::size_t a = 0; a < features; ++a)
      for (std::size_t b = a; b < features; ++b)
        for (std::size_t c = b; c < features; ++c)
          all.push_back({a, b, c});
  return all;
}

} // namespace

Features::Features(const Target& target, const std::vector<std::size_t>& nullable)
    : dimensions_(target.dictionary.dimensions), offsets_(target.global_offset ? dimensions_ : 0) {
  for (std::size_t i = 0; i < target.arguments.size(); ++i)
    if (const KernelArgument& argument = target.arguments[i]; argument.is_integer()) {
      scalars_.emplace_back(i, argument.type.scalar);
      names.push_back(argument.name);
      places.push_back({Place::Kind::Scalar, i, 0});
    }
  using Kind = Place::Kind;
  for (const auto& [size, kind] : {std::pair{"global_size", Kind::Global},
                                   {"local_size", Kind::Local},
                                   {"num_groups", Kind::Groups}})
    for (unsigned i = 0; i < dimensions_; ++i) {
      names.push_back(fmt::format("{}({})", size, i));
      places.push_back({kind, 0, i});
    }
  for (unsigned i = 0; i < offsets_; ++i) {
    names.push_back(fmt::format("global_offset({})", i));
    places.push_back({Kind::Offset, 0, i});
  }
  for (const std::size_t position : nullable) {
    names.push_back(target.arguments[position].name);
    places.push_back({Kind::Null, position, 0});
  }
}

std::vector<std::int64_t> Features::of(const Input& input) const {
  std::vector<std::int64_t> values;
  for (const auto& [position, scalar] : scalars_)
    values.push_back(static_cast<std::int64_t>(
        runtime::read_integer(scalar, input.arguments[position].bytes.data())));
  for (const auto& sizes : {input.shape.global, input.shape.local, input.shape.groups()})
    values.insert(values.end(), sizes.begin(), sizes.begin() + dimensions_);
  values.insert(values.end(), input.shape.offset.begin(), input.shape.offset.begin() + offsets_);
  for (std::size_t i = values.size(); i < places.size(); ++i)
    values.push_back(input.arguments[places[i].argument].is_null ? 1 : 0);
  return values;
}

bool Features::set(Input& input, std::size_t feature, std::int64_t value) const {
  const Place& place = places[feature];
  if (place.kind == Place::Kind::Scalar) {
    const auto scalar =
        std::ranges::find(scalars_, place.argument, &std::pair<std::size_t, model::Scalar>::first)
            ->second;
    runtime::store_integer(scalar, static_cast<std::uint64_t>(value),
                           input.arguments[place.argument].bytes.data());
    return of(input)[feature] == value;
  }
  if (place.kind == Place::Kind::Null) {
    Content& content = input.arguments[place.argument];
    content.is_null = value == 1;
    content.bytes.clear();
    return value == 0 || value == 1;
  }
  if (place.kind == Place::Kind::Offset) {
    input.shape.offset[place.dimension] = static_cast<std::uint64_t>(value);
    return value >= 0 && value <= static_cast<std::int64_t>(kMostOffset);
  }
  constexpr std::int64_t kMost = 1 << 20;
  if (value < 1 || value > kMost)
    return false;
  const auto size = static_cast<std::uint64_t>(value);
  std::uint64_t &global = input.shape.global[place.dimension],
                &local = input.shape.local[place.dimension];
  if (place.kind == Place::Kind::Groups) {
    global = size * local;
  } else if (place.kind == Place::Kind::Local) {
    global = input.shape.groups()[place.dimension] * size;
    local = size;
  } else {
    local = std::gcd(size, local);
    global = size;
  }
  return true;
}

std::int64_t Formula::evaluate(const std::vector<std::int64_t>& values) const {
  std::int64_t result = factor;
  for (const std::size_t feature : features)
    result = product(result, values[feature]);
  return std::clamp(result, -kHuge, kHuge) + offset;
}

std::string Formula::text(const Features& all) const {
  if (features.empty())
    return std::to_string(factor + offset);
  std::string text = factor == 1 ? "" : fmt::format("{}*", factor);
  for (std::size_t i = 0; i < features.size(); ++i)
    text += (i == 0 ? "" : "*") + all.names[features[i]];
  return offset == 0 ? text : fmt::format("{}{:+}", text, offset);
}

std::optional<Formula> smallest_bound(const Features& features,
                                      const std::vector<Sample>& samples) {
  if (samples.size() < kFewest)
    return std::nullopt;
  std::optional<Formula> best;
  std::size_t most = 0;
  const auto consider = [&](const Formula& formula) {
    std::size_t met = 0;
    for (const Sample& sample : samples) {
      const std::int64_t bound = formula.evaluate(sample.features);
      if (bound < sample.number)
        return;
      met += bound == sample.number;
    }
    if (met > most) {
      most = met;
      best = formula;
    }
  };
  for (const std::vector<std::size_t>& set : products(features.names.size())) {
    if (set.empty()) {
      std::int64_t highest = 1;
      for (const Sample& sample : samples)
        highest = std::max(highest, sample.number);
      consider({set, highest, 0});
      continue;
    }
    for (const std::int64_t factor : {1, 2, 3, 4})
      for (const std::int64_t offset : {0, 1, -1, 2})
        consider({set, factor, offset});
  }
  if (most * 2 < samples.size())
    return std::nullopt;
  return best;
}

} // namespace gputest::testgen

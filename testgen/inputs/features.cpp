#include "testgen/inputs/features.h"

#include "runtime/cases/scalar.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

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

struct Comparison {
  const char* text;
  bool (*holds)(std::int64_t, std::int64_t);
};
constexpr std::array<Comparison, 6> kComparisons{
    {{"<", [](std::int64_t a, std::int64_t b) { return a < b; }},
     {">", [](std::int64_t a, std::int64_t b) { return a > b; }},
     {"!=", [](std::int64_t a, std::int64_t b) { return a != b; }},
     {"<=", [](std::int64_t a, std::int64_t b) { return a <= b; }},
     {">=", [](std::int64_t a, std::int64_t b) { return a >= b; }},
     {"==", [](std::int64_t a, std::int64_t b) { return a == b; }}}};

} // namespace

Features::Features(const Target& target) : dimensions_(target.dictionary.dimensions) {
  for (std::size_t i = 0; i < target.arguments.size(); ++i)
    if (const KernelArgument& argument = target.arguments[i]; argument.is_integer()) {
      scalars_.emplace_back(i, argument.type.scalar);
      names.push_back(argument.name);
    }
  for (const char* size : {"global_size", "local_size", "num_groups"})
    for (unsigned i = 0; i < dimensions_; ++i)
      names.push_back(fmt::format("{}({})", size, i));
}

std::vector<std::int64_t> Features::of(const Input& input) const {
  std::vector<std::int64_t> values;
  for (const auto& [position, scalar] : scalars_)
    values.push_back(static_cast<std::int64_t>(
        runtime::read_integer(scalar, input.arguments[position].bytes.data())));
  for (unsigned i = 0; i < dimensions_; ++i)
    values.push_back(input.shape.global[i]);
  for (unsigned i = 0; i < dimensions_; ++i)
    values.push_back(input.shape.local[i]);
  for (unsigned i = 0; i < dimensions_; ++i)
    values.push_back(input.shape.groups(i));
  return values;
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

std::string separating_condition(const Features& features, const std::vector<Sample>& samples) {
  std::vector<const Sample*> bad, good;
  for (const Sample& sample : samples)
    (sample.number != 0 ? bad : good).push_back(&sample);
  if (bad.size() < 3 || good.size() < 3)
    return {};

  // A condition that holds for all bad samples, and the good samples for which it holds as well.
  struct Necessary {
    std::string text;
    std::vector<std::size_t> left;
  };
  std::vector<Necessary> all;
  const auto consider = [&](const Comparison& comparison, std::size_t left, const auto& right,
                            const auto& text) {
    const auto holds = [&](const Sample* sample) {
      return comparison.holds(sample->features[left], right(*sample));
    };
    if (!std::ranges::all_of(bad, holds))
      return false;
    Necessary found{fmt::format("{} {} {}", features.names[left], comparison.text, text()), {}};
    for (std::size_t i = 0; i < good.size(); ++i)
      if (holds(good[i]))
        found.left.push_back(i);
    const bool enough = found.left.empty();
    if (found.left.size() < good.size())
      all.push_back(std::move(found));
    return enough;
  };
  const std::size_t count = features.names.size();
  for (std::size_t left = 0; left < count; ++left)
    for (std::size_t right = left + 1; right < count; ++right)
      for (const Comparison& comparison : kComparisons)
        if (consider(
                comparison, left, [&](const Sample& sample) { return sample.features[right]; },
                [&] { return features.names[right]; }))
          return all.back().text;
  for (std::size_t left = 0; left < count; ++left) {
    std::set<std::int64_t> seen;
    for (const Sample& sample : samples)
      seen.insert(sample.features[left]);
    for (const std::int64_t constant : seen)
      for (const Comparison& comparison : kComparisons)
        if (consider(
                comparison, left, [&](const Sample&) { return constant; },
                [&] { return std::to_string(constant); }))
          return all.back().text;
  }
  for (std::size_t left = 0; left < count; ++left)
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a; b < count; ++b)
        for (const Comparison& comparison : kComparisons)
          if (consider(
                  comparison, left,
                  [&](const Sample& sample) {
                    return product(sample.features[a], sample.features[b]);
                  },
                  [&] { return fmt::format("{}*{}", features.names[a], features.names[b]); }))
            return all.back().text;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = i + 1; k < all.size(); ++k)
      if (std::ranges::none_of(all[i].left, [&](std::size_t sample) {
            return std::ranges::binary_search(all[k].left, sample);
          }))
        return all[i].text + " && " + all[k].text;
  return {};
}

} // namespace gputest::testgen

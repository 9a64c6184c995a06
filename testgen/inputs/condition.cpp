// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/condition.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gputest::testgen {
namespace {

constexpr std::ptrdiff_t kFewestOfASide = 3; // samples

struct Sign {
  const char* text;
  bool (*holds)(std::int64_t, std::int64_t);
};
constexpr std::array<Sign, 6> kSigns{
    {{"<", [](std::int64_t a, std::int64_t b) { return a < b; }},
     {">", [](std::int64_t a, std::int64_t b) { return a > b; }},
     {"!=", [](std::int64_t a, std::int64_t b) { return a != b; }},
     {"<=", [](std::int64_t a, std::int64_t b) { return a <= b; }},
     {">=", [](std::int64_t a, std::int64_t b) { return a >= b; }},
     {"==", [](std::int64_t a, std::int64_t b) { return a == b; }}}};

using Kind = Features::Place::Kind;

// Whether nobody could read what a comparison of the two says: the global size is the local size
// times the number of groups, and a null pointer is no number.
bool are_unrelated(const Features& features, std::size_t a, std::size_t b) {
  const Features::Place &one = features.places[a], &other = features.places[b];
  if (one.kind == Kind::Null || other.kind == Kind::Null)
    return true;
  return one.kind != Kind::Scalar && other.kind != Kind::Scalar && one.dimension == other.dimension;
}

// Finds conditions that hold for all bad samples. They differ in the good ones for which they hold
// as well.
class Search {
public:
  Search(const Features& features, std::vector<std::vector<std::int64_t>> bad,
         std::vector<std::vector<std::int64_t>> good)
      : features_(features), bad_(std::move(bad)), good_(std::move(good)) {}

  std::optional<Condition> run() {
    const std::size_t count = features_.names.size();
    for (std::size_t left = 0; left < count; ++left)
      for (std::size_t right = left + 1; right < count; ++right)
        if (!are_unrelated(features_, left, right) && consider(left, {right}, 0))
          return last();
    for (std::size_t left = 0; left < count; ++left) {
      std::set<std::int64_t> seen;
      for (const auto* samples : {&bad_, &good_})
        for (const auto& sample : *samples)
          seen.insert(sample[left]);
      for (const std::int64_t constant : seen)
        if (consider(left, {}, constant))
          return last();
    }
    for (std::size_t left = 0; left < count; ++left)
      for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a; b < count; ++b)
          if (a != left && b != left && !are_unrelated(features_, a, b) &&
              !are_unrelated(features_, left, a) && !are_unrelated(features_, left, b) &&
              consider(left, {a, b}, 0))
            return last();
    return two();
  }

private:
  struct Necessary {
    Comparison comparison;
    std::vector<std::size_t> left; // indices of good samples
  };

  std::optional<Condition> last() const { return Condition{{all_.back().comparison}}; }

  // Returns true if a comparison of these separates the samples; it is the last of `all_` then.
  bool consider(std::size_t left, const std::vector<std::size_t>& right, std::int64_t constant) {
    Comparison comparison{.left = left, .sign = "", .right = right, .constant = constant};
    for (const Sign& sign : kSigns) {
      const auto holds = [&](const std::vector<std::int64_t>& sample) {
        return sign.holds(sample[left], comparison.right_value(sample));
      };
      if (!std::ranges::all_of(bad_, holds))
        continue;
      Necessary found{comparison, {}};
      found.comparison.sign = sign.text;
      for (std::size_t i = 0; i < good_.size(); ++i)
        if (holds(good_[i]))
          found.left.push_back(i);
      if (found.left.size() == good_.size())
        continue;
      all_.push_back(std::move(found));
      if (all_.back().left.empty())
        return true;
    }
    return false;
  }

  // What is quick to read: an order rather than an exception, a number rather than a product.
  static int effort(const Comparison& comparison) {
    return (comparison.sign == "!="   ? 4
            : comparison.sign == "==" ? 2
                                      : 0) +
           (comparison.right.size() > 1 ? 3 : 0);
  }

  std::optional<Condition> two() {
    std::ranges::stable_sort(all_, {}, [](const Necessary& one) { return effort(one.comparison); });
    for (std::size_t i = 0; i < all_.size(); ++i)
      for (std::size_t k = i + 1; k < all_.size(); ++k)
        if (std::ranges::none_of(all_[i].left, [&](std::size_t sample) {
              return std::ranges::binary_search(all_[k].left, sample);
            }))
          return Condition{{all_[i].comparison, all_[k].comparison}};
    return std::nullopt;
  }

  const Features& features_;
  std::vector<std::vector<std::int64_t>> bad_, good_;
  std::vector<Necessary> all_;
};

} // namespace

std::int64_t Comparison::right_value(const std::vector<std::int64_t>& values) const {
  return right.empty() ? constant : Formula{.features = right}.evaluate(values);
}

bool Comparison::holds(const std::vector<std::int64_t>& values) const {
  return std::ranges::find(kSigns, sign, &Sign::text)->holds(values[left], right_value(values));
}

std::string Comparison::text(const Features& features) const {
  if (features.places[left].kind == Kind::Null) {
    std::vector<std::int64_t> null(features.places.size());
    null[left] = 1;
    return fmt::format("{} {} NULL", features.names[left], holds(null) ? "==" : "!=");
  }
  return fmt::format("{} {} {}", features.names[left], sign,
                     right.empty() ? std::to_string(constant)
                                   : Formula{.features = right}.text(features));
}

bool Condition::holds(const std::vector<std::int64_t>& values) const {
  return std::ranges::all_of(all, [&](const Comparison& one) { return one.holds(values); });
}

std::string Condition::text(const Features& features) const {
  std::string text;
  for (const Comparison& one : all)
    text += (text.empty() ? "" : " && ") + one.text(features);
  return text;
}

bool separates(const Condition& condition, const std::vector<Sample>& samples) {
  return std::ranges::all_of(samples, [&](const Sample& sample) {
    return condition.holds(sample.features) == (sample.number != 0);
  });
}

std::optional<Condition> separating_condition(const Features& features,
                                              const std::vector<Sample>& samples) {
  std::map<std::vector<std::int64_t>, bool> known; // whether it is bad
  for (const Sample& sample : samples)
    if (const auto [at, is_new] = known.try_emplace(sample.features, sample.number != 0);
        !is_new && at->second != (sample.number != 0))
      return std::nullopt; // it depends on something else
  std::vector<std::vector<std::int64_t>> bad, good;
  for (const auto& [values, is_bad] : known)
    (is_bad ? bad : good).push_back(values);
  const auto enough = [&](bool is_bad) {
    return std::ranges::count(samples, is_bad, [](const Sample& one) { return one.number != 0; }) >=
           kFewestOfASide;
  };
  if (!enough(true) || !enough(false))
    return std::nullopt;
  return Search(features, std::move(bad), std::move(good)).run();
}

} // namespace gputest::testgen

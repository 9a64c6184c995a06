// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/search.h"

#include "testgen/solve/distance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace gputest::testgen {
namespace {

class Search {
public:
  Search(const Table& table, const std::vector<Label>& conditions, const Functions* functions,
         const std::vector<Unit>& units, const std::vector<std::uint64_t>& values,
         const SearchLimits& limits)
      : units_(units), limits_(limits), distance_(table, conditions, functions), values_(values),
        random_(limits.seed) {
    for (const std::size_t unit : distance_.tape().units())
      if (unit < units_.size() && !units_[unit].fixed)
        free_.push_back(unit);
    for (const Label part : distance_.tape().parts())
      if (const Node& node = table[part]; node.op == Op::Constant && node.bits > 1)
        constants_.push_back(node.number);
  }

  SearchResult run() {
    SearchResult result;
    best_ = evaluate();
    const std::vector<std::uint64_t> given = values_;
    for (unsigned round = 0; best_ > 0 && !free_.empty() && !over(); ++round) {
      if (round > 0)
        restart(given, round);
      descend();
    }
    if (best_ == 0)
      result.values = values_;
    result.evaluations = evaluations_;
    return result;
  }

private:
  bool over() {
    const std::size_t values = evaluations_ * distance_.tape().parts().size();
    return evaluations_ >= limits_.evaluations ||
           static_cast<double>(values) >= limits_.seconds * kValuesOfSecond;
  }

  double evaluate() {
    ++evaluations_;
    return distance_.of(values_);
  }

  // Takes the value if it is nearer.
  bool attempt(std::size_t unit, std::uint64_t value) {
    std::uint64_t& now = values_[unit];
    value = cut(value, 8u * units_[unit].size);
    if (value == now || best_ == 0 || over())
      return false;
    const std::uint64_t before = now;
    now = value;
    const double distance = evaluate();
    if (distance < best_) {
      best_ = distance;
      return true;
    }
    now = before;
    return false;
  }

  void descend() {
    for (bool better = true; better && best_ > 0 && !over();) {
      better = false;
      for (const std::size_t unit : free_)
        better = improve(unit) || better;
    }
  }

  bool improve(std::size_t unit) {
    bool better = false;
    for (const int sign : {1, -1})
      better = slide(unit, sign) || better;
    const unsigned width = 8u * units_[unit].size;
    if (units_[unit].floating && width >= 32)
      better = scale(unit) || better;
    else
      for (unsigned bit = 0; bit < width && best_ > 0; ++bit)
        better = attempt(unit, values_[unit] ^ (std::uint64_t{1} << bit)) || better;
    return better;
  }

  // Steps that grow as long as they help, and begin anew after the last that did.
  bool slide(std::size_t unit, int sign) {
    bool better = false;
    const bool floating = units_[unit].floating;
    for (bool moved = true; moved && best_ > 0;) {
      moved = false;
      for (std::uint64_t step = 1; step != 0 && best_ > 0; step *= 2) {
        const std::uint64_t now = values_[unit];
        const std::uint64_t next = floating ? neighbour(now, 8u * units_[unit].size, sign, step)
                                            : (sign > 0 ? now + step : now - step);
        if (!attempt(unit, next)) {
          if (step > 1 || floating)
            break;
          continue;
        }
        moved = true;
      }
      better = better || moved;
      if (!moved)
        break;
    }
    return better;
  }

  // `step` numbers further in the order of floating-point numbers.
  static std::uint64_t neighbour(std::uint64_t bits, unsigned width, int sign, std::uint64_t step) {
    if (width < 32)
      return sign > 0 ? bits + step : bits - step;
    const std::uint64_t top = std::uint64_t{1} << (width - 1);
    auto place = static_cast<std::int64_t>(bits & (top - 1));
    if (bits & top)
      place = -place;
    const auto by = static_cast<std::int64_t>(step & (top - 1));
    place += sign > 0 ? by : -by;
    const std::int64_t most =
        static_cast<std::int64_t>(width == 32 ? 0x7f800000 : 0x7ff0000000000000); // infinity
    place = std::clamp(place, -most, most);
    return place < 0 ? top | static_cast<std::uint64_t>(-place) : static_cast<std::uint64_t>(place);
  }

  bool scale(std::size_t unit) {
    const unsigned width = 8u * units_[unit].size;
    bool better = false;
    const auto number = [&] {
      return width == 32 ? static_cast<double>(
                               std::bit_cast<float>(static_cast<std::uint32_t>(values_[unit])))
                         : std::bit_cast<double>(values_[unit]);
    };
    const auto bits = [&](double value) {
      return width == 32 ? std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(value))}
                         : std::bit_cast<std::uint64_t>(value);
    };
    for (const double by : {1.0, 0.5, 0.1, 0.01, 0.001, 10.0, 100.0})
      for (const double sign : {1.0, -1.0})
        while (attempt(unit, bits(number() + sign * by)))
          better = true;
    for (const double by : {2.0, 0.5, -1.0, 10.0, 0.1})
      better = attempt(unit, bits(number() * by)) || better;
    return better;
  }

  std::uint64_t special(const Unit& unit) {
    const unsigned width = 8u * unit.size;
    const std::uint64_t pick = random_();
    if (unit.floating && width >= 32) {
      static constexpr std::array kNumbers{0.0,
                                           1.0,
                                           -1.0,
                                           0.5,
                                           2.0,
                                           3.0,
                                           10.0,
                                           100.0,
                                           1e-3,
                                           1e6,
                                           std::numeric_limits<double>::infinity(),
                                           std::numeric_limits<double>::quiet_NaN()};
      const auto bits = [&](double value) {
        return width == 32 ? std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(value))}
                           : std::bit_cast<std::uint64_t>(value);
      };
      switch (pick % 4) {
      case 0:
        return bits(kNumbers[pick / 4 % kNumbers.size()]);
      case 1:
        return bits((static_cast<double>(pick / 4 % 2'000'001) - 1e6) / 1e5); // [-10, 10]
      case 2:
        return bits((static_cast<double>(pick / 4 % 2'000'001) - 1e6) / 1e2);
      default:
        return pick;
      }
    }
    switch (pick % 4) {
    case 0:
      return pick / 4 % 17;
    case 1:
      return 0 - pick / 4 % 17;
    case 2:
      return constants_.empty() ? pick
                                : constants_[pick / 4 % constants_.size()] + pick / 64 % 3 - 1;
    default:
      return pick;
    }
  }

  void restart(const std::vector<std::uint64_t>& given, unsigned round) {
    values_ = given;
    const bool all = round % 2 == 0;
    for (const std::size_t unit : free_)
      if (all || random_() % free_.size() < 2)
        values_[unit] = cut(special(units_[unit]), 8u * units_[unit].size);
    best_ = evaluate();
  }

  const std::vector<Unit>& units_;
  SearchLimits limits_;
  Distance distance_;
  std::vector<std::uint64_t> values_;
  std::mt19937_64 random_;
  std::vector<std::size_t> free_;
  std::vector<std::uint64_t> constants_;
  double best_ = 0;
  std::size_t evaluations_ = 0;
};

} // namespace

SearchResult search(const Table& table, const std::vector<Label>& conditions,
                    const Functions* functions, const std::vector<Unit>& units,
                    const std::vector<std::uint64_t>& values, const SearchLimits& limits) {
  return Search(table, conditions, functions, units, values, limits).run();
}

} // namespace gputest::testgen

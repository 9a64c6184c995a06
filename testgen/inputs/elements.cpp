// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/elements.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace gputest::testgen {
namespace {

constexpr double kFar = 1 << 20; // a range that is larger is no range to draw from
constexpr double kNear = 16;

class Obeying {
public:
  Obeying(std::vector<double>& numbers, const ElementRules& rules, Random* random)
      : numbers_(numbers), rules_(rules), random_(random) {}

  void run() {
    if (numbers_.empty())
      return;
    if (rules_.permutation) {
      permute();
      return;
    }
    for (double& number : numbers_)
      number = allowed(number);
    for (const auto& [index, value] : rules_.fixed)
      if (index < numbers_.size())
        numbers_[index] = rules_.stored(value);
    if (rules_.sum)
      add_up_to(*rules_.sum);
    if (rules_.strictly)
      rise();
    else if (rules_.ascending)
      sort();
    else if (rules_.distinct)
      differ();
  }

private:
  bool is_fixed(std::size_t index) const { return rules_.fixed.contains(index); }

  bool is_allowed(double number) const {
    return number >= rules_.low && number <= rules_.high &&
           (rules_.values.empty() ||
            std::ranges::find(rules_.values, number) != rules_.values.end()) &&
           (!rules_.holds || rules_.holds(number));
  }

  double drawn(double low, double high) {
    if (rules_.whole)
      return static_cast<double>(
          random_->between(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)));
    return low + static_cast<double>(random_->next() >> 11) * 0x1p-53 * (high - low);
  }

  // A number of the range, near to this one or drawn.
  double within(double number, double low, double high) {
    if (number >= low && number <= high)
      return number;
    if (low > high)
      return low;
    if (!random_)
      return number > high ? high : low; // a NaN, too
    if (high - low <= kFar)
      return rules_.stored(drawn(low, high));
    // The far end says nothing: draws from 0 on, or from the near end.
    if (low <= 0 && high > 0)
      return rules_.stored(drawn(0, std::min(high, kNear)));
    return rules_.stored(high <= 0 ? drawn(high - kNear, high) : drawn(low, low + kNear));
  }

  double allowed(double number) {
    if (is_allowed(number))
      return number;
    if (!rules_.values.empty() && random_)
      for (int i = 0; i < 8; ++i)
        if (const double value = rules_.values[random_->below(rules_.values.size())];
            is_allowed(value))
          return value;
    const double near = within(number, rules_.low, rules_.high);
    if (is_allowed(near))
      return near;
    std::vector<double> tried = rules_.values;
    for (const double step : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0})
      for (const double sign : {1.0, -1.0})
        tried.push_back(near + sign * step);
    for (const double hint : rules_.hints)
      for (const double by : {0.0, 1.0, -1.0})
        tried.push_back(hint + by);
    tried.insert(tried.end(), {0, 1, -1, rules_.low, rules_.high});
    for (int i = 0; random_ && i < 16; ++i)
      tried.push_back(within(std::numeric_limits<double>::quiet_NaN(), rules_.low, rules_.high));
    const std::size_t begin = random_ ? random_->below(tried.size()) : 0;
    for (std::size_t i = 0; i < tried.size(); ++i)
      if (const double value = rules_.stored(tried[(begin + i) % tried.size()]); is_allowed(value))
        return value;
    return near;
  }

  // What is in range and was there once stays; what is left over goes to the other places.
  void permute() {
    std::vector<bool> used(numbers_.size()), keeps(numbers_.size());
    const auto use = [&](std::size_t i, double number) {
      const bool fits = number >= 0 && number < static_cast<double>(numbers_.size()) &&
                        std::trunc(number) == number;
      if (keeps[i] || !fits || used[static_cast<std::size_t>(number)])
        return;
      used[static_cast<std::size_t>(number)] = keeps[i] = true;
      numbers_[i] = number;
    };
    for (const auto& [index, value] : rules_.fixed)
      if (index < numbers_.size())
        use(index, value);
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (is_allowed(numbers_[i]))
        use(i, numbers_[i]);
    std::vector<double> left;
    for (std::size_t value = 0; value < used.size(); ++value)
      if (!used[value])
        left.push_back(static_cast<double>(value));
    for (std::size_t i = 0; random_ && i + 1 < left.size(); ++i)
      std::swap(left[i], left[i + random_->below(left.size() - i)]);
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (!keeps[i]) {
        numbers_[i] = left.back();
        left.pop_back();
      }
  }

  double total() const {
    double total = 0;
    for (const double number : numbers_)
      total += number;
    return total;
  }

  // Scales floating-point numbers, and then moves one number after the other as far as it may go.
  void add_up_to(double wanted) {
    const double first = total();
    if (!rules_.whole && std::isfinite(first) && first != 0 && wanted / first > 0 &&
        std::isfinite(wanted / first))
      for (std::size_t i = 0; i < numbers_.size(); ++i)
        if (const double scaled = rules_.stored(numbers_[i] * (wanted / first));
            !is_fixed(i) && is_allowed(scaled))
          numbers_[i] = scaled;
    const std::size_t begin = random_ ? random_->below(numbers_.size()) : 0;
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      const double by = wanted - total();
      if (by == 0)
        return;
      const std::size_t i = (begin + k) % numbers_.size();
      if (is_fixed(i))
        continue;
      const double moved = rules_.stored(
          std::clamp(numbers_[i] + by, rules_.low, std::max(rules_.low, rules_.high)));
      if (is_allowed(moved))
        numbers_[i] = moved;
    }
  }

  // Between fixed elements, all are in their range, and sorted.
  void sort() {
    std::size_t begin = 0;
    double low = rules_.low;
    const auto part = [&](std::size_t end, double high) {
      for (std::size_t i = begin; i < end; ++i)
        numbers_[i] = within(numbers_[i], low, std::max(low, high));
      std::sort(numbers_.begin() + static_cast<std::ptrdiff_t>(begin),
                numbers_.begin() + static_cast<std::ptrdiff_t>(end));
    };
    for (const auto& [index, value] : rules_.fixed) {
      if (index >= numbers_.size())
        break;
      part(index, value);
      begin = index + 1;
      low = std::max(low, value);
    }
    part(numbers_.size(), rules_.high);
  }

  double next(double number) const {
    if (rules_.whole)
      return number + 1;
    return step(number, std::numeric_limits<double>::infinity());
  }
  double before(double number) const {
    if (rules_.whole)
      return number - 1;
    return step(number, -std::numeric_limits<double>::infinity());
  }
  // The next number that the type has: a `float` is further away than a double.
  double step(double number, double towards) const {
    const double sign = towards > 0 ? 1 : -1;
    for (double by = std::max(std::abs(number), 1e-3) * 0x1p-53; std::isfinite(by); by *= 2)
      if (const double moved = rules_.stored(number + sign * by); moved != number)
        return moved;
    return towards;
  }

  // Makes equal neighbours larger, and where that goes beyond what follows, those before smaller.
  void rise() {
    sort();
    for (std::size_t i = 1; i < numbers_.size(); ++i)
      if (!is_fixed(i) && !(numbers_[i] > numbers_[i - 1]))
        numbers_[i] = upwards(next(numbers_[i - 1]));
    for (std::size_t i = numbers_.size(); i-- > 0;) {
      const double most = i + 1 < numbers_.size() ? before(numbers_[i + 1]) : rules_.high;
      if (!is_fixed(i) && numbers_[i] > most)
        numbers_[i] = downwards(most);
    }
  }

  // The first number from there on that is allowed.
  double upwards(double number) const {
    for (int i = 0; i < 64 && number <= rules_.high; ++i, number = next(number))
      if (is_allowed(number))
        return number;
    return number;
  }
  double downwards(double number) const {
    for (int i = 0; i < 64 && number >= rules_.low; ++i, number = before(number))
      if (is_allowed(number))
        return number;
    return number;
  }

  void differ() {
    std::set<double> used;
    for (const auto& [index, value] : rules_.fixed)
      used.insert(rules_.stored(value));
    double free = rules_.low <= 0 && rules_.high >= 0 ? 0 : rules_.low; // all below it are used
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (is_fixed(i) || used.insert(numbers_[i]).second)
        continue;
      double& number = numbers_[i];
      double other = number;
      for (int tries = 0; random_ && tries < 4 && used.contains(other); ++tries)
        other = allowed(within(std::numeric_limits<double>::quiet_NaN(), rules_.low, rules_.high));
      for (int steps = 0; steps < 8 && used.contains(other); ++steps)
        other = upwards(next(other));
      if (!rules_.values.empty() && (used.contains(other) || !is_allowed(other)))
        for (const double value : rules_.values)
          if (!used.contains(value))
            other = value;
      if (used.contains(other) || !is_allowed(other)) {
        while (used.contains(free) && free < rules_.high)
          free = next(free);
        other = free;
        while (used.contains(other) && other > rules_.low) // above 0 all are used
          other = before(other);
      }
      number = other;
      used.insert(number);
    }
  }

  std::vector<double>& numbers_;
  const ElementRules& rules_;
  Random* random_;
};

} // namespace

void obey(std::vector<double>& numbers, const ElementRules& rules, Random* random) {
  Obeying(numbers, rules, random).run();
}

} // namespace gputest::testgen

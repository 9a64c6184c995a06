// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Terms of group_accesses.h with the numbers of a launch: sums of multiples of variables.
#pragma once

#include "simulator/parallel/group_accesses.h"
#include "templates/simulator/context.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace gputest::simulator {

// Both bounds are in the range; it is empty if `low` is above `high`.
struct Range {
  std::int64_t low = 0, high = 0;
};
constexpr std::int64_t kFar = std::int64_t{1} << 61; // stands for any number beyond it

// Returns the least range that has both.
Range joined(Range left, Range right);

// What a form depends on. Other variables are what is not known: each may have any value of its
// range in any work-item.
constexpr unsigned kGroupIds = 0, kLocalIds = 3, kIterations = 6;

// factor * variable + ... + constant. Each factor and the constant are at most kFar.
struct Form {
  std::map<unsigned, std::int64_t> factors{};
  std::int64_t constant = 0;

  std::int64_t factor(unsigned variable) const;
  bool is_constant() const { return factors.empty(); }
};

// Rounds down.
std::int64_t divided(std::int64_t number, std::int64_t by);

// Return nullopt if a number would be beyond kFar.
std::optional<Form> sum(const Form& left, const Form& right, std::int64_t times = 1);
std::optional<Form> product(const Form& form, std::int64_t factor);

// A launch's values of terms, wherever some comparisons hold.
class Forms {
public:
  Forms(const GroupAccesses& accesses, const gputest_context& context,
        std::span<const std::byte> arguments);

  // From now on, values are those of work-items for which the comparisons hold. Returns false if
  // there is none.
  bool assume(std::span<const unsigned> comparisons);

  // Returns a form that equals the term, which has 64 bits.
  Form of(unsigned term);
  // The values that a form may have.
  Range range(const Form& form) const;
  Range range_of(unsigned variable) const;

private:
  Form make(unsigned term);
  Form product_of(const Term& term, unsigned number);
  Form quotient_of(const Term& term, unsigned number);
  Form chosen_of(const Term& term, unsigned number);
  Form converted(const Term& term, unsigned number);
  Form context_word(const Term& term, unsigned number);
  Form iteration(const Term& term);
  std::int64_t last_iteration(const GroupLoop& loop);
  // A variable for the term itself, with these values, or with those of so many bits.
  Form opaque(unsigned number, Range range);
  Form opaque(unsigned number) {
    return opaque(number, signed_range(accesses_.terms[number].bits));
  }
  bool fits(const Form& form, Range range) const;
  void note(const Comparison& comparison);
  void note_at_most_0(std::optional<Form> form);
  bool tighten();

  static Range signed_range(unsigned bits);
  static Range unsigned_range(unsigned bits);

  const GroupAccesses& accesses_;
  const gputest_context& context_;
  std::span<const std::byte> arguments_;
  std::map<unsigned, Range> ranges_; // by variable
  std::vector<std::optional<Form>> known_;
  std::vector<Form> at_most_0_;
};

} // namespace gputest::simulator

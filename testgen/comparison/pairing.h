// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs for two kernels that should compute the same: which arguments correspond, and an input of
// one kernel as an input of the other.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/inputs/input.h"
#include "testgen/inputs/target.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

// How users say what corresponds.
struct PairingSettings {
  std::vector<std::string> arguments; // "first=second", names of arguments
  std::vector<std::string> global_size,
      local_size{}; // of the first kernel, as expressions over the
                    // second's input; empty: those of the second
};

// The first kernel is under test; the second is the one to compare with. Arguments correspond by
// PairingSettings, or else by name, or by what is left of the name without its case and `_`. If
// both kernels have equally many arguments left, of types that fit, these correspond in their
// order. Local memory is each kernel's own.
class Pairing {
public:
  // A value that only the second kernel has must have a domain in its constraints. Throws
  // ExpressionError for other arguments without a counterpart, and for those of another type. The
  // targets must outlive the pairing.
  Pairing(const Target& first, const Target& second, const Constraints& of_second,
          const PairingSettings& settings);

  // Return the same input for the other kernel. Local memory gets an element for each work-item of
  // a group. nullopt: the other kernel cannot get it, because a number does not fit its type, or
  // because of the sizes of the launch. `to_second` leaves buffers as long as they are.
  std::optional<Input> to_first(const Input& of_second) const;
  std::optional<Input> to_second(const Input& of_first) const;

  // By argument of the first: its counterpart's position; nullopt: it has none, because it is local
  // memory or has a given value.
  const std::vector<std::optional<std::size_t>>& second_of() const { return second_of_; }
  // Whether the counterpart of an argument of the first is a signed integer.
  bool is_signed_in_second(std::size_t argument) const {
    return model::is_signed(second_.arguments[*second_of_[argument]].type.scalar);
  }
  // Values of arguments that only one of the kernels has, by position.
  const std::map<std::size_t, runtime::Bytes>& own_first() const { return own_first_; }
  const std::map<std::size_t, runtime::Bytes>& own_second() const { return own_second_; }
  bool first_has_local() const { return first_has_local_; } // memory of its own
  const std::vector<std::string>& notes() const { return notes_; }
  // Whether both kernels are launched with the same sizes.
  bool same_launch() const { return global_.empty() && local_.empty(); }

private:
  void pair_as_told(const std::vector<std::string>& texts);
  void pair_by_name(const std::function<std::string(const std::string&)>& read);
  void pair_by_order();
  void check_all(const Constraints& of_second);
  bool is_taken(std::size_t second) const;
  std::optional<Shape> shape_of_first(const Input& of_second) const;

  const Target &first_, &second_;
  std::vector<std::optional<std::size_t>> second_of_;
  // Values of arguments without a counterpart, by position in the first and in the second.
  std::map<std::size_t, runtime::Bytes> own_first_, own_second_;
  std::vector<Expression> global_, local_;
  bool first_has_local_ = false;
  std::vector<std::string> notes_;
};

} // namespace gputest::testgen

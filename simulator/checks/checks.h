// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks that a launch makes.
#pragma once

#include "simulator/checks/check.h"

#include <span>
#include <string>
#include <vector>

namespace gputest::simulator {

// Returns all checks, in the order of model/checks.def.
std::span<const Check* const> all_checks();

// A subset of a table's checks, in its order, each once.
class Checks {
public:
  bool any() const {
    return !checks_.empty();
  } // whether the kernel's code differs from that
    // without checks
  bool has(std::string_view name) const; // or a variant of it
  auto begin() const { return checks_.begin(); }
  auto end() const { return checks_.end(); }

private:
  friend Checks checks_named(const std::vector<std::string>&, std::span<const Check* const>);
  std::vector<const Check*> checks_;
};

// A check's variant is left out if the check is there. Throws InputError for a name that is not in
// `table`.
Checks checks_named(const std::vector<std::string>& names,
                    std::span<const Check* const> table = all_checks());

// Returns the names, such as "races bounds", or "".
std::string text_of(const Checks& checks);

} // namespace gputest::simulator

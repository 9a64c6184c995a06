// Which checks a launch makes.
#pragma once

#include "simulator/checks/check.h"

#include <span>
#include <string>
#include <vector>

namespace gputest::simulator {

// Those of model/checks/checks.def, in its order.
std::span<const Check* const> all_checks();

// Some of a table, in its order, each once.
class Checks {
public:
  bool any() const { return !checks_.empty(); } // is the kernel's code other than without checks?
  bool has(std::string_view name) const;
  auto begin() const { return checks_.begin(); }
  auto end() const { return checks_.end(); }

private:
  friend Checks checks_named(const std::vector<std::string>&, std::span<const Check* const>);
  std::vector<const Check*> checks_;
};

// Throws InputError for names that `table` does not have.
Checks checks_named(const std::vector<std::string>& names,
                    std::span<const Check* const> table = all_checks());

// "races bounds"; empty without any.
std::string text_of(const Checks& checks);

} // namespace gputest::simulator

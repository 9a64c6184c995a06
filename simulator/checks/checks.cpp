// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/checks.h"

#include "ir/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::simulator {

std::span<const Check* const> all_checks() {
  static const Check* const kAll[] = {
#define GPUTEST_CHECK(name, ...) &name##_check(),
#include "model/checks/checks.def"
  };
  return kAll;
}

bool Checks::has(std::string_view name) const {
  return std::ranges::find(checks_, name, &Check::name) != checks_.end();
}

Checks checks_named(const std::vector<std::string>& names, std::span<const Check* const> table) {
  for (const std::string& name : names)
    if (std::ranges::find(table, name, &Check::name) == table.end()) {
      std::string known;
      for (const Check* check : table)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", check->name);
      throw InputError(fmt::format("check '{}' is not known; there are: {}", name, known));
    }
  Checks checks;
  for (const Check* check : table)
    if (std::ranges::find(names, check->name) != names.end())
      checks.checks_.push_back(check);
  return checks;
}

std::string text_of(const Checks& checks) {
  std::string text;
  for (const Check* check : checks)
    text += fmt::format("{}{}", text.empty() ? "" : " ", check->name);
  return text;
}

} // namespace gputest::simulator

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/checks.h"

#include "ir/error.h"
#include "model/names.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::simulator {

std::span<const Check* const> all_checks() {
  static const Check* const kAll[] = {
#define GPUTEST_CHECK(name, ...) &name##_check(),
#include "model/checks.def"
  };
  return kAll;
}

bool Checks::has(std::string_view name) const {
  return std::ranges::any_of(checks_, [&](const Check* check) {
    return check->name == name || (check->variant_of && check->variant_of->name == name);
  });
}

Checks checks_named(const std::vector<std::string>& names, std::span<const Check* const> table) {
  for (const std::string& name : names)
    if (std::ranges::find(table, name, &Check::name) == table.end()) {
      std::string known;
      for (const Check* check : table)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", check->name);
      const std::string_view meant = model::meant_name(
          table, name, [](const Check* check) { return std::string_view(check->name); });
      throw ir::InputError(
          fmt::format("check '{}' is not known{}; there are: {}", name,
                      meant.empty() ? "" : fmt::format(" (did you mean '{}'?)", meant), known));
    }
  Checks checks;
  const auto is_named = [&](const Check& check) {
    return std::ranges::find(names, check.name) != names.end();
  };
  for (const Check* check : table)
    if (is_named(*check) && !(check->variant_of && is_named(*check->variant_of)))
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

#include "simulator/checks/checks.h"

#include "ir/error.h"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace gputest::simulator {
namespace {

constexpr std::array<std::pair<const char*, bool Checks::*>, 6> kNames{
    {{"races", &Checks::races},
     {"barriers", &Checks::barriers},
     {"bounds", &Checks::bounds},
     {"uninitialized", &Checks::uninitialized},
     {"arithmetic", &Checks::arithmetic},
     {"overflow", &Checks::overflow}}};

} // namespace

Checks checks_named(const std::vector<std::string>& names) {
  Checks checks;
  for (const std::string& name : names) {
    bool known = false;
    for (const auto& [word, member] : kNames)
      if (name == word)
        checks.*member = known = true;
    if (!known)
      throw InputError(fmt::format("check '{}' is not known; there are: races, barriers, bounds, "
                                   "uninitialized, arithmetic, overflow",
                                   name));
  }
  return checks;
}

std::string text_of(const Checks& checks) {
  std::string text;
  for (const auto& [word, member] : kNames)
    if (checks.*member)
      text += (text.empty() ? "" : " ") + std::string(word);
  return text;
}

} // namespace gputest::simulator

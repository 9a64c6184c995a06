// Variables of the process's environment, for as long as the object lives.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace gputest::tests {

class Environment {
public:
  // Sets them. Those that are not named here stay what they are.
  explicit Environment(std::initializer_list<std::pair<const std::string, std::string>> variables)
      : Environment(std::map<std::string, std::string>(variables)) {}
  explicit Environment(const std::map<std::string, std::string>& variables) {
    for (const auto& [name, value] : variables) {
      const char* const before = std::getenv(name.c_str());
      before_[name] = before ? std::optional<std::string>(before) : std::nullopt;
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  ~Environment() {
    for (const auto& [name, value] : before_)
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

private:
  std::map<std::string, std::optional<std::string>> before_;
};

} // namespace gputest::tests

// How subcommands fail: with a message for the user and an exit code.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace gputest::driver {

enum ExitCode { Held = 0, Failed = 1, WrongInput = 2, Internal = 3 };

class CommandError : public std::runtime_error {
public:
  explicit CommandError(const std::string& message, ExitCode code = WrongInput)
      : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

private:
  ExitCode code_;
};

// Runs a subcommand; prints what it throws to standard error and turns it into an exit code.
// Wrong options and files that are not what they should be are WrongInput, the rest Internal.
int run_command(const char* name, const std::function<int()>& body);

} // namespace gputest::driver

// How subcommands end: with a message for the user and an exit code.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cxxopts {
class Options;
}

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

// What --help prints. Returns Held.
int print_help(const cxxopts::Options& options);

// Runs a subcommand; prints what it throws to standard error and turns it into an exit code.
// Wrong options and files that are not what they should be are WrongInput, the rest Internal, as is
// standard output that cannot be written.
int run_command(std::string_view name, const std::function<int()>& body);

} // namespace gputest::driver

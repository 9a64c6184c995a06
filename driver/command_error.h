// Ends subcommands with a message for the user and an exit code.
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

// Prints the help. Returns Held.
int print_help(const cxxopts::Options& options);

// Runs a subcommand. Prints what it throws to standard error and returns an exit code for it: that
// of a CommandError, WrongInput for wrong options and files of a wrong format,
// model::exit_code_of_writing() where a file cannot be written, else Internal. Standard output that
// cannot be written is Internal, too.
int run_command(std::string_view name, const std::function<int()>& body);

} // namespace gputest::driver

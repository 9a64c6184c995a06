// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends subcommands with a message for the user and an exit code.
#pragma once

#include "model/whole_number.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cxxopts {
class Options;
class ParseResult;
} // namespace cxxopts

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

// For a program that has subcommands of gputest and was started with no word of its own, as by
// hand: says that gputest starts it. Returns WrongInput.
int refuse_by_hand(std::string_view program);

// Prints the help. Returns Held.
int print_help(const cxxopts::Options& options);

// Return the number that an option has: a whole number, seconds above 0, or a number from 0 to
// `most`. Throw CommandError, which names the option and says what it takes.
std::uint64_t whole_option(const cxxopts::ParseResult& arguments, const std::string& name,
                           model::WholeRange range = {});
double seconds_option(const cxxopts::ParseResult& arguments, const std::string& name);
double real_option(const cxxopts::ParseResult& arguments, const std::string& name,
                   double most = std::numeric_limits<double>::infinity());
// The same; nullopt: the option is not given.
std::optional<std::uint64_t> optional_whole(const cxxopts::ParseResult& arguments,
                                            const std::string& name, model::WholeRange range = {});
std::optional<double> optional_real(const cxxopts::ParseResult& arguments, const std::string& name);

// Returns the text that an option has, or `otherwise` if it is not given.
std::string text_option(const cxxopts::ParseResult& arguments, const std::string& name,
                        const std::string& otherwise = {});

// Returns all values of an option that may be repeated, none where it is not given.
std::vector<std::string> list_of(const cxxopts::ParseResult& arguments, const char* name);

// Returns the sizes of an option such as --global-size, "64" or "64,8", none where it is not given.
// Throws CommandError for anything else, and for one that is not between `least` and `most`.
std::vector<std::size_t> sizes_of(const cxxopts::ParseResult& arguments, const char* name,
                                  std::uint64_t most = 999'999'999, std::uint64_t least = 1);

// Runs a subcommand. Prints what it throws to standard error and returns an exit code for it: that
// of a CommandError, WrongInput for wrong options and files of a wrong format,
// model::exit_code_of_writing() where a file cannot be written, else Internal. Standard output that
// cannot be written is Internal, too.
int run_command(std::string_view name, const std::function<int()>& body);

} // namespace gputest::driver

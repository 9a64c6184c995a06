// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/command_error.h"

#include "model/files.h"
#include "model/help.h"
#include "model/interface.h"
#include "model/names.h"
#include "model/settings.h"

#include <cerrno>
#include <cstdio>
#include <cxxopts.hpp>
#include <fmt/format.h>
#include <iostream>

namespace gputest::driver {

int refuse_by_hand(std::string_view program) {
  fmt::print(stderr, "{}: error: is for gputest to start: gputest --help\n", program);
  return WrongInput;
}

int print_help(const cxxopts::Options& options) {
  fmt::print("{}", model::help_page(options, model::help_format()));
  return Held;
}

namespace {

// Flushes what has been printed, because a full disk shows only then. Throws model::WriteError.
void empty_standard_output() {
  errno = 0;
  const bool is_written = !std::cout.flush().fail() && std::fflush(stdout) == 0;
  if (!is_written || std::ferror(stdout) != 0)
    throw model::WriteError("standard output",
                            std::error_code(errno != 0 ? errno : EIO, std::generic_category()));
}

} // namespace

std::uint64_t whole_option(const cxxopts::ParseResult& arguments, const std::string& name,
                           model::WholeRange range) {
  try {
    return model::whole_of("--" + name, arguments[name].as<std::string>(), range);
  } catch (const model::SettingError& error) {
    throw CommandError(fmt::format("error: {}", error.what()));
  }
}

double seconds_option(const cxxopts::ParseResult& arguments, const std::string& name) {
  try {
    return model::seconds_of(name, arguments[name].as<std::string>());
  } catch (const model::SettingError& error) {
    throw CommandError(fmt::format("error: {}", error.what()));
  }
}

double real_option(const cxxopts::ParseResult& arguments, const std::string& name, double most) {
  try {
    return model::real_of(name, arguments[name].as<std::string>(), most);
  } catch (const model::SettingError& error) {
    throw CommandError(fmt::format("error: {}", error.what()));
  }
}

std::optional<std::uint64_t> optional_whole(const cxxopts::ParseResult& arguments,
                                            const std::string& name, model::WholeRange range) {
  return arguments.count(name) ? std::optional(whole_option(arguments, name, range)) : std::nullopt;
}

std::optional<double> optional_real(const cxxopts::ParseResult& arguments,
                                    const std::string& name) {
  return arguments.count(name) ? std::optional(real_option(arguments, name)) : std::nullopt;
}

std::string text_option(const cxxopts::ParseResult& arguments, const std::string& name,
                        const std::string& otherwise) {
  return arguments.count(name) ? arguments[name].as<std::string>() : otherwise;
}

std::vector<std::string> list_of(const cxxopts::ParseResult& arguments, const char* name) {
  return arguments.count(name) ? arguments[name].as<std::vector<std::string>>()
                               : std::vector<std::string>{};
}

std::vector<std::size_t> sizes_of(const cxxopts::ParseResult& arguments, const char* name,
                                  std::uint64_t most, std::uint64_t least) {
  std::vector<std::size_t> sizes;
  if (!arguments.count(name))
    return sizes;
  const auto text = arguments[name].as<std::string>();
  for (const std::string& part : model::split(text + ",", ',')) { // "" is an empty number
    const auto size = model::whole_number(part, {least, most});
    if (!size || sizes.size() == 3)
      throw CommandError(
          fmt::format("error: --{} '{}' is not 1 to 3 sizes, such as 64,8", name, text));
    sizes.push_back(*size);
  }
  return sizes;
}

int run_command(std::string_view name, const std::function<int()>& body) {
  try {
    const int code = body();
    empty_standard_output();
    return code;
  } catch (const CommandError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.code();
  } catch (const cxxopts::exceptions::exception& error) {
    fmt::print(stderr, "gputest {}: error: {}; see gputest {} --help\n", name, error.what(), name);
    return WrongInput;
  } catch (const model::FormatError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return WrongInput;
  } catch (const model::WriteError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return model::exit_code_of_writing(error.reason());
  } catch (const std::filesystem::filesystem_error& error) { // a folder that cannot be made
    fmt::print(stderr, "{}\n", model::WriteError(error.path1(), error.code()).what());
    return model::exit_code_of_writing(error.code());
  } catch (const std::exception& error) {
    fmt::print(stderr, "gputest {}: error: {}\n", name, error.what());
    return Internal;
  }
}

} // namespace gputest::driver

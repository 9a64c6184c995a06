#include "driver/command_error.h"

#include "model/help.h"
#include "model/interface.h"

#include <cstdio>
#include <cxxopts.hpp>
#include <fmt/format.h>

namespace gputest::driver {

int print_help(const cxxopts::Options& options) {
  fmt::print("{}", model::help_page(options, model::help_format()));
  return Held;
}

int run_command(const char* name, const std::function<int()>& body) {
  try {
    return body();
  } catch (const CommandError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.code();
  } catch (const cxxopts::exceptions::exception& error) {
    fmt::print(stderr, "gputest {}: error: {}; see gputest {} --help\n", name, error.what(), name);
    return WrongInput;
  } catch (const model::FormatError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return WrongInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "gputest {}: error: {}\n", name, error.what());
    return Internal;
  }
}

} // namespace gputest::driver

#include "driver/command_error.h"

#include "model/files.h"
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

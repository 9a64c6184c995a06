// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/variants/instrument.h"

#include "gputest/error.h"
#include "model/files.h"
#include "process/command.h"
#include "runtime/cases/values.h"
#include "runtime/process/file_lock.h"
#include "runtime/process/inputs.h"

#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

// Returns a text that changes when the command is built anew. Reading the whole executable each
// time would be slow.
std::string driver_version(const fs::path& driver) {
  return fmt::format("{} {} {}", driver.string(), fs::file_size(driver),
                     fs::last_write_time(driver).time_since_epoch().count());
}

bool is_fresh(const fs::path& folder, const model::Variant& variant, const fs::path& source) {
  const auto recorded = model::read_text(folder / "inputs.txt");
  if (!recorded)
    return false;
  if (!fs::exists(folder / model::file_of_variant(variant.text, source)) ||
      !fs::exists(folder / variant.table))
    return false;
  return are_unchanged(*recorded);
}

std::vector<std::string> command_line(const InstrumentRequest& request, const fs::path& driver,
                                      const std::string& subcommand) {
  std::vector<std::string> command{driver.string(), subcommand, request.source.string()};
  if (!request.source_root.empty())
    command.insert(command.end(), {"--source-root", request.source_root.string()});
  const auto add = [&](std::string option, const std::string& value) {
    command.push_back(std::move(option));
    command.push_back(value);
  };
  if (!request.function.empty())
    add("--function", request.function);
  if (model::row_of(request.settings.language).has_instances && !request.kernel.empty())
    add("--instance", request.kernel);
  for (const std::string& definition : request.settings.definitions)
    add("-D", definition);
  for (const fs::path& folder : request.settings.include_dirs)
    add("-I", folder.string());
  if (!request.settings.cl_std.empty())
    add("--cl-std", request.settings.cl_std);
  for (const model::DeviceMacro& macro : request.device_macros) {
    if (macro.value)
      add("--device-macro", macro.name + "=" + *macro.value);
    else
      add("--no-device-macro", macro.name);
  }
  return command;
}

void run_driver(const std::vector<std::string>& command) {
  process::CommandResult result;
  process::Tries tries;
  do {
    result = process::run_command(command);
  } while (tries.again(result.ended, fmt::format("'gputest {}'", command[1])));
  if (!tries.given_up().empty())
    throw DeviceError(tries.given_up());
  if (result.exit_code == 2)
    throw UsageError(result.output);
  if (result.exit_code > 128)
    throw DeviceError(fmt::format(
        "{}: error: 'gputest {}' was killed by {} while it read this source, which is a fault "
        "of gputest: please report it with the source and this command: {}\n{}",
        command[2], command[1], process::signal_name(result.exit_code - 128),
        fmt::join(command, " "), result.output));
  if (result.exit_code != 0)
    throw DeviceError(fmt::format("'{}' failed with exit code {}:\n{}", fmt::join(command, " "),
                                  result.exit_code, result.output));
}

} // namespace

fs::path find_driver(const fs::path& described, std::string_view what_for) {
  const char* environment = std::getenv("GPUTEST_DRIVER");
  const fs::path driver = environment && *environment ? fs::path(environment) : described;
  if (driver.empty())
    throw DeviceError(fmt::format("{}, and no gputest command is known; set the environment "
                                  "variable GPUTEST_DRIVER to its path",
                                  what_for));
  if (!fs::is_regular_file(driver) || ::access(driver.c_str(), X_OK) != 0)
    throw DeviceError(
        fmt::format("{}, and {} is not the gputest command; set the environment variable "
                    "GPUTEST_DRIVER to its path",
                    what_for, driver.string()));
  return fs::absolute(driver);
}

fs::path instrument(const InstrumentRequest& request, const fs::path& driver,
                    const fs::path& cache) {
  const model::Variant& variant = request.variant;
  std::vector<std::string> command = command_line(request, driver, std::string(variant.subcommand));
  const std::string key =
      fingerprint(fmt::format("{}\n{}", driver_version(driver), fmt::join(command, "\n")));
  const fs::path folder = cache / fmt::format("{}-{}", request.source.stem().string(), key);
  const FileLock lock(cache / (folder.filename().string() + ".lock"));
  if (is_fresh(folder, variant, request.source))
    return folder;

  fs::create_directories(folder);
  fs::remove(folder / "inputs.txt");
  const fs::path depfile = folder / "inputs.d";
  for (const std::string& option :
       {std::string("--output-dir"), folder.string(), std::string("--depfile"), depfile.string()})
    command.push_back(option);
  run_driver(command);
  std::vector<fs::path> files = files_of_rule(depfile);
  if (files.empty())
    files.push_back(request.source);
  std::ofstream(folder / "inputs.txt", std::ios::binary) << record_inputs(files);
  return folder;
}

std::string mutants_text(const InstrumentRequest& request, const fs::path& driver,
                         const std::string& option, const std::string& value,
                         const std::string& subcommand) {
  std::string file = (fs::temp_directory_path() / "gputest-mutant-XXXXXX").string();
  const int descriptor = ::mkstemp(file.data());
  if (descriptor < 0)
    throw DeviceError(fmt::format("{}: error: cannot be written", file));
  ::close(descriptor);
  std::vector<std::string> command = command_line(request, driver, subcommand);
  command.insert(command.end(), {option, value, "--output", file});
  std::string text;
  std::exception_ptr failure;
  try {
    run_driver(command);
    text = model::read_text(file).value_or("");
  } catch (...) {
    failure = std::current_exception();
  }
  std::error_code ignored;
  fs::remove(file, ignored);
  if (failure)
    std::rethrow_exception(failure);
  return text;
}

} // namespace gputest::runtime

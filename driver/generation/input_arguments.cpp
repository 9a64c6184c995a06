// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/generation/input_arguments.h"

#include "driver/command_error.h"
#include "driver/lock_step_option.h"
#include "model/language.h"
#include "model/shell.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace gputest::driver {

void add_input_options(cxxopts::Options& options) {
  using Texts = std::vector<std::string>;
  options.add_options("Inputs")("argument", "What an argument may be: n=range(1,64), data:size=n*m",
                                cxxopts::value<Texts>())(
      "require", "A condition that every input satisfies: n <= global_size(0)",
      cxxopts::value<Texts>())("global-size", "The launch has this size: 64 or 64,8",
                               cxxopts::value<std::string>())(
      "local-size", "Its work-groups have this size",
      cxxopts::value<std::string>())("cases", "Existing test cases", cxxopts::value<Texts>())(
      "case-global-size", "Global size for existing cases that give none",
      cxxopts::value<std::string>())("case-local-size",
                                     "Local size for existing cases that give none",
                                     cxxopts::value<std::string>())(
      "case-global-offset", "Global offset for existing cases that give none",
      cxxopts::value<std::string>())(
      "case-shared-memory", "For CUDA: bytes of dynamic __shared__ memory for cases that give none",
      cxxopts::value<std::string>()->default_value("0"))(kLockStepOption, kLockStepHelp,
                                                         cxxopts::value<std::string>());
}

void read_input_options(const cxxopts::ParseResult& arguments,
                        const frontend::SourceOptions& source, testgen::InputSettings& settings) {
  settings.arguments = list_of(arguments, "argument");
  settings.requirements = list_of(arguments, "require");
  settings.global_size = sizes_of(arguments, "global-size");
  settings.local_size = sizes_of(arguments, "local-size");
  if (settings.local_size.size() > settings.global_size.size())
    throw CommandError("error: --local-size needs a --global-size of as many dimensions");
  settings.case_global_size = sizes_of(arguments, "case-global-size");
  settings.case_local_size = sizes_of(arguments, "case-local-size");
  settings.case_global_offset = sizes_of(arguments, "case-global-offset", 999'999'999, 0);
  if (arguments.count("case-shared-memory") &&
      !model::row_of(std::filesystem::path(source.file)).has_shared_memory)
    throw CommandError(fmt::format(
        "error: --case-shared-memory is for CUDA C++, and {} is OpenCL C", source.file));
  settings.case_shared_memory = whole_option(arguments, "case-shared-memory", model::kSharedBytes);
  for (const std::string& file : list_of(arguments, "cases"))
    settings.cases.emplace_back(file);
}

std::vector<std::filesystem::path> replayed_files(const cxxopts::ParseResult& arguments) {
  std::vector<std::filesystem::path> files;
  for (const std::string& file : list_of(arguments, "replay")) {
    if (!std::filesystem::is_regular_file(file))
      throw CommandError(fmt::format("{}: error: no such file", file));
    files.push_back(std::filesystem::absolute(file));
  }
  return files;
}

Tolerance tolerance_option(const cxxopts::ParseResult& arguments) {
  return {.absolute = optional_real(arguments, "absolute"),
          .relative = optional_real(arguments, "relative"),
          .ulp = optional_whole(arguments, "ulp")};
}

std::string command_without(std::span<const char* const> words,
                            std::initializer_list<std::string_view> options) {
  std::string text = "gputest";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    const auto* const left_out = std::ranges::find_if(options, [&](std::string_view option) {
      return word == option || word.starts_with(fmt::format("{}=", option));
    });
    if (left_out == options.end())
      text += " " + model::quoted_for_shell(word);
    else if (word == *left_out)
      ++i; // its value
  }
  return text;
}

StatusLine::StatusLine(bool shown) : shown_(shown && ::isatty(STDOUT_FILENO)) {}

void StatusLine::show(const std::string& kernel, const testgen::Progress& progress) {
  if (!shown_)
    return;
  const std::string mutants =
      progress.mutants == 0
          ? ""
          : fmt::format(", {} of {} mutants killed", progress.killed, progress.mutants);
  fmt::print("\r\x1b[K{}: {} of {} outcomes reached{}; {} launches, {:.0f} a second; {}", kernel,
             progress.reached, progress.goals, mutants, progress.launches,
             progress.seconds > 0 ? static_cast<double>(progress.launches) / progress.seconds : 0,
             progress.doing);
  std::fflush(stdout);
}

void StatusLine::clear() const {
  if (shown_)
    fmt::print("\r\x1b[K");
}

} // namespace gputest::driver

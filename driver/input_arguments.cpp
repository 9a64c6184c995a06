#include "driver/input_arguments.h"

#include "driver/command_error.h"
#include "driver/source_arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace gputest::driver {
namespace {

std::vector<std::size_t> sizes(const cxxopts::ParseResult& arguments, const char* name) {
  std::vector<std::size_t> all;
  if (!arguments.count(name))
    return all;
  const auto text = arguments[name].as<std::string>();
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    if (part.empty() || part.size() > 9 ||
        part.find_first_not_of("0123456789") != std::string::npos || part == "0")
      throw CommandError(
          fmt::format("error: --{} '{}' is not 1 to 3 sizes, such as 64,8", name, text));
    all.push_back(std::stoul(part));
    begin = end + 1;
  }
  if (all.size() > 3)
    throw CommandError(
        fmt::format("error: --{} '{}' is not 1 to 3 sizes, such as 64,8", name, text));
  return all;
}

} // namespace

void add_input_options(cxxopts::Options& options) {
  using Texts = std::vector<std::string>;
  options.add_options("Inputs")("argument", "What an argument may be: n=range(1,64), data:size=n*m",
                                cxxopts::value<Texts>())(
      "require", "What holds for every input: n <= global_size(0)", cxxopts::value<Texts>())(
      "global-size", "The launch has this size: 64 or 64,8", cxxopts::value<std::string>())(
      "local-size", "Its work-groups have this size",
      cxxopts::value<std::string>())("cases", "Test cases that are there", cxxopts::value<Texts>())(
      "case-global-size", "Of cases that give none", cxxopts::value<std::string>())(
      "case-local-size", "Of cases that give none", cxxopts::value<std::string>());
}

void read_input_options(const cxxopts::ParseResult& arguments, testgen::InputSettings& settings) {
  settings.arguments = list_of(arguments, "argument");
  settings.requirements = list_of(arguments, "require");
  settings.global_size = sizes(arguments, "global-size");
  settings.local_size = sizes(arguments, "local-size");
  if (settings.local_size.size() > settings.global_size.size())
    throw CommandError("error: --local-size needs a --global-size of as many dimensions");
  settings.case_global_size = sizes(arguments, "case-global-size");
  settings.case_local_size = sizes(arguments, "case-local-size");
  for (const std::string& file : list_of(arguments, "cases"))
    settings.cases.emplace_back(file);
}

ProgressLine::ProgressLine(bool shown) : shown_(shown && ::isatty(STDOUT_FILENO)) {}

void ProgressLine::show(const std::string& kernel, const testgen::Progress& progress) {
  if (!shown_)
    return;
  fmt::print("\r\x1b[K{}: {} of {} outcomes reached; {} launches, {:.0f} a second; {}", kernel,
             progress.reached, progress.goals, progress.launches,
             progress.seconds > 0 ? static_cast<double>(progress.launches) / progress.seconds : 0,
             progress.doing);
  std::fflush(stdout);
}

void ProgressLine::clear() const {
  if (shown_)
    fmt::print("\r\x1b[K");
}

} // namespace gputest::driver

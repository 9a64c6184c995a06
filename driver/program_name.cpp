// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/program_name.h"

#include "process/command.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// These programs run the first program among their arguments.
constexpr std::array<std::string_view, 14> kWrappers{
    "env",     "nice",   "nohup", "timeout", "stdbuf",  "taskset", "setsid",
    "numactl", "ionice", "time",  "mpirun",  "mpiexec", "srun",    "xvfb-run"};

constexpr std::array<std::string_view, 10> kInterpreters{
    "python", "pypy", "sh", "bash", "dash", "perl", "ruby", "node", "julia", "Rscript"};

std::string file_name(const std::string& word) {
  return fs::path(word).filename().string();
}

// Returns "python" for "python3.11".
std::string without_version(std::string name) {
  while (!name.empty() &&
         (std::isdigit(static_cast<unsigned char>(name.back())) != 0 || name.back() == '.'))
    name.pop_back();
  return name;
}

bool is_in(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

} // namespace

ProgramName name_of(const std::vector<std::string>& command) {
  ProgramName result;
  for (std::size_t i = 0;;) {
    result.program = i;
    if (!is_in(kWrappers, file_name(command[i])))
      break;
    const auto is_program = [](const std::string& word) {
      return !word.starts_with('-') && word.find('=') == std::string::npos &&
             process::find_program(word).has_value();
    };
    const auto next = std::find_if(command.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                   command.end(), is_program);
    if (next == command.end())
      break;
    i = static_cast<std::size_t>(next - command.begin());
  }
  result.name = file_name(command[result.program]);
  if (!is_in(kInterpreters, without_version(result.name)))
    return result;
  for (std::size_t i = result.program + 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (word == "-c" || word == "-e")
      break; // a program's text on the command line has no name
    if (word == "-m" && i + 1 < command.size()) {
      result.name = command[i + 1].substr(command[i + 1].rfind('.') + 1);
      break;
    }
    std::error_code error;
    if (!word.starts_with('-') && fs::is_regular_file(word, error)) {
      result.script = fs::canonical(word);
      result.name = fs::path(word).stem().string();
      break;
    }
  }
  return result;
}

} // namespace gputest::driver

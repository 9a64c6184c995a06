// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/outputs.h"

#include "cuda/compiler/dependencies.h"

#include <iostream>

namespace gputest::cuda::compiler {

namespace fs = std::filesystem;

fs::path output_of(const Command& command, const std::string& source, const std::string& ending) {
  return !command.output.empty() ? fs::path(command.output)
                                 : fs::path(command.output_folder) /
                                       fs::path(source).filename().replace_extension(ending);
}

std::vector<fs::path> outputs_of(const Command& command) {
  std::vector<fs::path> files;
  const auto add = [&](const std::string& standard) {
    files.emplace_back(command.output.empty() ? standard : command.output);
  };
  switch (command.action) {
  case Action::Link:
    add("a.out");
    break;
  case Action::Archive:
    add("a.a");
    break;
  case Action::DeviceLink:
    add("a_dlink.o");
    break;
  case Action::Preprocess:
    if (!command.output.empty())
      files.emplace_back(command.output);
    break;
  case Action::Compile:
  case Action::Image:
    for (const auto* const sources : {&command.sources, &command.others, &command.c_sources})
      for (const std::string& source : *sources)
        files.push_back(
            output_of(command, source, command.action == Action::Image ? command.image : "o"));
    break;
  case Action::Version:
  case Action::Toolkit:
    break;
  }
  if (const std::string rule = dependency_file(command); !rule.empty())
    files.emplace_back(rule);
  return files;
}

void print_command(const std::vector<std::string>& arguments) {
  std::cerr << "#$ gputest-cuda";
  for (const std::string& argument : arguments)
    if (argument != "--dryrun" && argument != "-dryrun" && !argument.starts_with("--gputest-as-"))
      std::cerr << " \"" << argument << '"';
  std::cerr << '\n';
}

void print_architectures(const std::string& kind) {
  for (const int number : {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90})
    std::cout << kind << number << '\n';
}

} // namespace gputest::cuda::compiler

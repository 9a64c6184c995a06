// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/host_sources.h"

#include "frontend/cuda/toolkit.h"

#include <vector>

namespace gputest::cuda::compiler {

Arguments host_arguments(const Command& command, const Toolkit& toolkit) {
  const std::filesystem::path include = toolkit.root / "include";
  Arguments arguments{toolkit.clang, "-isystem", include.string(), "-idirafter",
                      (include / "gputest_cuda" / "openmp").string()};
  append(arguments, frontend::cuda::warnings_only());
  arguments.emplace_back(kWarningsOfGcc);
  append(arguments, command.preprocess);
  append(arguments, command.compile);
  return arguments;
}

Arguments arguments_for_c(const Command& command, const Toolkit& toolkit, const std::string& source,
                          const std::filesystem::path& object) {
  Arguments arguments = host_arguments(command, toolkit);
  std::erase_if(arguments, [](const std::string& argument) {
    return argument.starts_with("-std=c++") || argument.starts_with("-std=gnu++");
  });
  if (command.action == Action::Compile)
    append(arguments, command.dependencies);
  append(arguments, {"-x", "c", "-c", source, "-o", object.string()});
  return arguments;
}

} // namespace gputest::cuda::compiler

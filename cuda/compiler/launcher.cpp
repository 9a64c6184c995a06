// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-cuda-launcher runs a CUDA compiler with an instrumented copy in place of the source.
// Build systems start it as a compiler launcher:
//
//     CUDA_COMPILER_LAUNCHER  gputest-cuda-launcher;--variant=mutants;--folder=<its folder>;
//                             --source-root=<folder>;--compiler=<nvcc>;--toolkit=<its folder>;--
//
// --folder is where copies and tables go. The dependency file lists the source, the headers that
// the copy contains, and the program that makes the copy.
#include "cuda/compiler/command.h"
#include "cuda/compiler/dependencies.h"
#include "cuda/compiler/process.h"
#include "cuda/compiler/reading.h"
#include "cuda/compiler/toolkit.h"
#include "cuda/compiler/variant.h"
#include "model/files.h"
#include "process/scratch_folder.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <sstream>
#include <stdexcept>

namespace gputest::cuda::compiler {
namespace {

namespace fs = std::filesystem;

struct Launch {
  std::map<std::string, std::string> own; // by name, without dashes
  Arguments all;                          // the command that is launched
  Arguments options;                      // of the compiler
};

Launch read_launch(const Arguments& arguments) {
  Launch launch;
  const auto end = std::ranges::find(arguments, "--");
  if (end == arguments.end())
    throw std::runtime_error("no command behind --");
  for (auto one = arguments.begin(); one != end; ++one) {
    const std::size_t equals = one->find('=');
    if (!one->starts_with("--") || equals == std::string::npos)
      throw std::runtime_error("'" + *one + "' is not expected");
    launch.own[one->substr(2, equals - 2)] = one->substr(equals + 1);
  }
  for (const char* name : {"variant", "folder", "source-root", "compiler", "toolkit"})
    if (!launch.own.contains(name))
      throw std::runtime_error(std::string("--") + name + " is missing");
  launch.all.assign(end + 1, arguments.end());
  // There may be other launchers before the compiler.
  const auto compiler = std::ranges::find(launch.all, launch.own["compiler"]);
  if (compiler == launch.all.end())
    throw std::runtime_error("the command does not start " + launch.own["compiler"]);
  launch.options.assign(compiler + 1, launch.all.end());
  return launch;
}

bool is_own_compiler(const std::string& compiler) {
  return fs::path(compiler).filename() == "gputest-cuda";
}

class Launcher {
public:
  explicit Launcher(Launch launch) : launch_(std::move(launch)), toolkit_(find_toolkit()) {
    command_ = read_command(launch_.options);
    command_.variant_folder = launch_.own["folder"];
    command_.source_root = launch_.own["source-root"];
  }

  int run() {
    if (command_.action != Action::Compile || command_.sources.size() != 1 ||
        fs::path(command_.sources[0]).extension() != ".cu")
      return start(launch_.all, command_.verbose);
    const std::string source = command_.sources[0];
    const InstrumentedSource variant(command_, launch_.own["variant"], source);
    const process::ScratchFolder folder("gputest-cuda");
    const fs::path read = folder.path() / "read";
    if (const int failed = make(variant, read))
      return failed;
    Arguments compile = launch_.all;
    std::ranges::replace(compile, source, variant.text().string());
    compile.emplace_back("-w"); // the compilation of the source itself has warned
    if (const int failed = start(compile, command_.verbose)) {
      std::fprintf(stderr, "gputest-cuda-launcher: note: the instrumented copy of %s is %s\n",
                   source.c_str(), variant.text().c_str());
      return failed;
    }
    if (const std::string file = dependency_file(command_); !file.empty()) {
      std::istringstream lines(model::read_text(read).value_or(""));
      std::vector<std::string> names{instrumenter(toolkit_).string()};
      for (std::string line; std::getline(lines, line);)
        names.push_back(line);
      remove_dependency(file, variant.text()); // a copy, which nobody changes
      add_dependencies(file, names);
    }
    return 0;
  }

private:
  // With the toolkit's headers. What they lack for Clang, ours may have.
  int make(const InstrumentedSource& variant, const fs::path& read) const {
    std::vector<Arguments> ways{with_device_options(command_, own_arguments(command_, toolkit_))};
    Arguments more{"--whole", "--dependencies", read.string()};
    if (!is_own_compiler(launch_.own.at("compiler"))) {
      ways.insert(ways.begin(),
                  nvidia_device_arguments(command_, toolkit_, launch_.own.at("toolkit")));
      for (const unsigned architecture : architectures(command_))
        append(more, {"--architecture", std::to_string(architecture)});
      if (!are_all_known(command_))
        more.emplace_back("--other-architectures");
    }
    const fs::path messages = read.string() + ".messages";
    std::string first;
    for (const Arguments& way : ways) {
      Arguments arguments = variant.making(toolkit_, way);
      arguments.insert(std::ranges::find(arguments, "--"), more.begin(), more.end());
      if (start_quietly(arguments, messages, command_.verbose) == 0)
        return 0;
      if (first.empty())
        first = model::read_text(messages).value_or("");
    }
    std::fprintf(
        stderr, "%sgputest-cuda-launcher: error: %s: Clang, which instruments it, cannot read it\n",
        first.c_str(), variant.source.c_str());
    return 1;
  }

  Launch launch_;
  Command command_;
  Toolkit toolkit_;
};

} // namespace
} // namespace gputest::cuda::compiler

int main(int argc, char** argv) {
  namespace compiler = gputest::cuda::compiler;
  try {
    return compiler::Launcher(compiler::read_launch({argv + 1, argv + argc})).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gputest-cuda-launcher: error: %s\n", error.what());
    return 2;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/reading.h"

#include "cuda/compiler/amd_gpus.h"
#include "frontend/cuda/references.h"
#include "frontend/cuda/toolkit.h"

#include <algorithm>

namespace gputest::cuda::compiler {
namespace {

constexpr unsigned kOwnArchitecture = 80;
constexpr unsigned kLatestOfClang = 90; // known to Clang 19

} // namespace

Arguments own_arguments(const Command& command, const Toolkit& toolkit) {
  std::ptrdiff_t before = 0; // arguments that the program's folders of headers take
  const model::LanguageRow& language =
      model::row_of(std::filesystem::path(command.hip ? "a.hip" : "a.cu"));
  Arguments arguments =
      frontend::cuda::arguments_with_toolkit(toolkit.clang, toolkit.root.string(), language);
  if (command.hip)
    append(arguments, arguments_for_hip(command.gpu));
  if (std::ranges::any_of(command.sources, [](const std::string& source) {
        return std::filesystem::path(source).filename() == "CMakeCUDACompilerId.cu";
      })) // CMake must recognise the real compiler
    arguments.emplace_back("-U__NVCC__");
  if (command.relocatable && !command.hip)
    arguments.emplace_back("-D__CUDACC_RDC__=1");
  const std::vector<std::string> folders = include_folders(command);
  if (std::ranges::any_of(command.sources, [&](const std::string& source) {
        return frontend::cuda::has_references(source, folders);
      }))
    append(arguments, frontend::cuda::arguments_for_references());
  for (std::size_t i = 0; i < command.preprocess.size(); ++i)
    if (command.preprocess[i] == "-isystem") { // before our own, as the headers of libcu++ must be
      arguments.insert(arguments.begin() + 1 + before, {"-isystem", command.preprocess[++i]});
      before += 2;
    } else
      arguments.push_back(command.preprocess[i]);
  return arguments;
}

namespace {

// Options for arithmetic. nvcc gives them to the host's compiler alone, hipcc to both.
bool is_of_arithmetic(const std::string& option) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{
          "-ffp-", "-ffast-math", "-funsafe-math", "-fassociative-math", "-freciprocal-math",
          "-ffinite-math", "-fno-signed-zeros", "-frounding-math", "-fexcess-precision"},
      [&](std::string_view name) { return option.starts_with(name); });
}

} // namespace

Arguments with_device_options(const Command& command, Arguments arguments) {
  for (const std::string& option : command.compile)
    if (option.starts_with("-f") && !option.starts_with("-fPI") && !option.starts_with("-fsan") &&
        !option.starts_with("-fpi") && !option.starts_with("-flto") && option != "-fopenmp" &&
        (command.hip || !is_of_arithmetic(option)))
      arguments.push_back(option);
  append(arguments, command.device);
  if (command.hip)
    append(arguments, device_arguments_for_hip(command.gpu));
  return arguments;
}

std::vector<unsigned> architectures(const Command& command) {
  std::vector<unsigned> all;
  for (const unsigned one : command.architectures)
    if (const unsigned known = std::min(one, kLatestOfClang);
        std::ranges::find(all, known) == all.end())
      all.push_back(known);
  if (all.empty())
    all.push_back(kOwnArchitecture);
  return all;
}

std::vector<std::string> include_folders(const Command& command) {
  return frontend::cuda::folders_of(command.preprocess, {"-I", "-isystem", "-iquote"});
}

bool are_all_known(const Command& command) {
  return !command.architectures.empty() &&
         std::ranges::all_of(command.architectures,
                             [](unsigned one) { return one <= kLatestOfClang; });
}

Arguments nvidia_device_arguments(const Command& command, const Toolkit& toolkit,
                                  const std::filesystem::path& root) {
  Arguments arguments{toolkit.clang,
                      "-x",
                      "cuda",
                      "-nocudalib",
                      "--cuda-path=" + root.string(),
                      "--cuda-gpu-arch=sm_" + std::to_string(architectures(command).front()),
                      "-isystem",
                      (toolkit.root / "nvidia").string(), // headers that CUDA 13 has removed
                      "-isystem",
                      (root / "include" / "cccl").string(),
                      "-include",
                      "gputest_nvcc.h",
                      "-Xclang",
                      "-target-sdk-version=12.5",
                      "-Wno-unknown-cuda-version",
                      "-Wno-unused-command-line-argument"};
  append(arguments, command.preprocess);
  return with_device_options(command, std::move(arguments));
}

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

Arguments coverage_files(const Command& command, const std::string& source) {
  const auto asks = [](const std::string& option) {
    return option == "--coverage" || option == "-ftest-coverage" || option == "-fprofile-arcs";
  };
  if (std::ranges::none_of(command.compile, asks))
    return {};
  const std::filesystem::path output =
      std::filesystem::absolute(command.output.empty() ? "a.out" : command.output);
  const std::string file = output.string() + "-" + std::filesystem::path(source).stem().string();
  return {"-Xclang", "-coverage-notes-file=" + file + ".gcno", //
          "-Xclang", "-coverage-data-file=" + file + ".gcda"};
}

} // namespace gputest::cuda::compiler

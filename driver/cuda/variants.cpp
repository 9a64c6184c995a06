// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/cuda/bitcode.h"
#include "driver/source_arguments.h"
#include "frontend/cuda/unit.h"
#include "frontend/file_names.h"
#include "frontend/ignore_comments.h"
#include "model/files.h"
#include "passes/coverage/coverage.h"
#include "passes/equivalence/equivalence.h"
#include "passes/mutation/cuda.h"
#include "passes/mutation/ignore_comments.h"

#include <algorithm>
#include <cxxopts.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <vector>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

struct Job {
  const frontend::CudaOptions& source;
  const frontend::FlatSource& flat;
  std::string name, unit;
  fs::path folder;
  bool relocatable = false;
  std::vector<std::string> architectures; // architectures that Clang knows
  bool others = false;                    // there are more
  bool whole = false; // true: the compiler makes the host's code of the copy, too
};

// Returns host code that registers the state with the library that the program is linked with
// (cuda/gpu).
std::string registration(const Job& job, const std::string& variant) {
  return fmt::format(
      "\nextern \"C\" int gputest_gpu_unit(const char* variant, const char* folder, "
      "int (*address)(void**), unsigned long size);\n"
      "static const int gputest_registered = gputest_gpu_unit(\"{0}\", \"{2}\", "
      "[](void** at) -> int {{ return cudaGetSymbolAddress(at, gputest_{0}_{1}); }}, "
      "sizeof(gputest_{0}_{1}));\n",
      variant, job.unit, fs::absolute(job.folder).lexically_normal().string());
}

void parse(const Job& job, const std::function<void(const frontend::Tree&)>& use) {
  if (llvm::Error error =
          frontend::parse_cuda(job.flat, job.source, [&](const frontend::Tree& tree) {
            use(tree);
            return llvm::Error::success();
          }))
    throw CommandError(llvm::toString(std::move(error)));
}

void write_coverage(const Job& job, const std::vector<model::IgnoreComment>& comments) {
  passes::CoverageVariant coverage;
  parse(job, [&](const frontend::Tree& tree) {
    coverage = passes::instrument_cuda_coverage(tree, job.name, job.unit, !job.whole, comments);
  });
  const frontend::FileNames names(job.source.source_root);
  coverage.sites.sources = model::source_files(
      job.flat.dependencies, [&](const std::string& file) { return names.name(file); });
  if (job.whole)
    coverage.text += registration(job, "coverage");
  model::write_atomically(job.folder / "coverage.cu", coverage.text);
  model::write_site_table(coverage.sites, job.folder / "sites.json");
}

bool asks_for_architecture(const Job& job) {
  return std::ranges::any_of(job.flat.dependencies, [](const std::string& file) {
    return model::read_text(file).value_or("").find("__CUDA_ARCH__") != std::string::npos;
  });
}

// Returns how the device's compiler reads the file, for each of its architectures.
passes::CudaWays ways_of(const Job& job) {
  constexpr std::string_view kOption = "--cuda-gpu-arch=sm_";
  passes::CudaWays ways{.options = {}, .relocatable = job.relocatable};
  for (const std::string& architecture : job.architectures) {
    frontend::CudaOptions& options = ways.options.emplace_back(job.source);
    for (std::string& argument : options.arguments)
      if (argument.starts_with(kOption))
        argument = std::string(kOption) + architecture;
  }
  if (ways.options.empty())
    ways.options.push_back(job.source);
  return ways;
}

void write_mutants(const Job& job) {
  // NOLINTBEGIN(misc-const-correctness): both are changed
  passes::mutation::CudaMutants mutants;
  parse(job, [&](const frontend::Tree& tree) {
    mutants = passes::mutation::mutate_cuda(tree, job.name, job.unit);
  });
  if (llvm::Error error = passes::mutation::ignore_by_comments(
          job.flat.dependencies, frontend::FileNames(job.source.source_root),
          mutants.table.mutants))
    throw CommandError(llvm::toString(std::move(error)));
  // NOLINTEND(misc-const-correctness)
  model::MutantTable& table = mutants.table;
  std::vector<std::string> code;
  if (job.others && asks_for_architecture(job))
    passes::note_not_compared(table, "the code depends on __CUDA_ARCH__, and Clang does "
                                     "not know all architectures");
  else if (passes::mutants_to_compare(table) <= passes::kComparedUnasked)
    passes::mark_equivalent(table, mutants.device, ways_of(job));
  else
    code = passes::code_to_compare(table, mutants.device, ways_of(job));
  table.compared = code.empty(); // then nothing is left to compare
  if (job.whole) {
    model::write_atomically(job.folder / "mutants.cu",
                            mutants.whole + registration(job, "mutants"));
  } else {
    model::write_atomically(job.folder / "mutants.cu", mutants.device);
    model::write_atomically(job.folder / "mutants-host.cu", mutants.host);
  }
  for (unsigned i = 0; i < code.size() || fs::exists(job.folder / bitcode_file(i)); ++i)
    if (i < code.size())
      model::write_atomically(job.folder / bitcode_file(i), code[i]);
    else
      fs::remove(job.folder / bitcode_file(i)); // from an earlier compilation
  model::write_mutant_table(table, job.folder / "mutants.json");
}

} // namespace

int cuda_command(int argc, char** argv) {
  cxxopts::Options options("gputest-passes cuda",
                           "Writes coverage.cu and sites.json of a CUDA file, or mutants.cu, "
                           "mutants-host.cu and mutants.json. The arguments behind -- are Clang's, "
                           "by which the file is compiled for the device");
  options.add_options()("variant", "What the copy is for: coverage or mutants",
                        cxxopts::value<std::string>())("source", "The .cu file",
                                                       cxxopts::value<std::string>())(
      "unit", "A name that is unique in the program: letters, digits and _",
      cxxopts::value<std::string>())("output", "The folder of the files",
                                     cxxopts::value<std::string>())(
      "relocatable", "Other units may call the device functions of this one")(
      "architecture", "One that the file is compiled for, such as 90; may be repeated",
      cxxopts::value<std::vector<std::string>>(),
      "NUMBER")("other-architectures", "It is compiled for others, too")(
      "source-root", "The folder to which names of files are relative",
      cxxopts::value<std::string>()->default_value(""))(
      "whole", "The copy is compiled for the host, too, and linked with libgputest_cuda_gpu.a")(
      "dependencies", "A file that gets the names of all files that were read, a line for each",
      cxxopts::value<std::string>())("help", "Shows this");
  int own = 0;
  while (own < argc && std::string_view(argv[own]) != "--")
    ++own;
  const cxxopts::ParseResult arguments = options.parse(own, argv);
  if (arguments.count("help"))
    return print_help(options);
  for (const char* needed : {"variant", "source", "unit", "output"})
    if (!arguments.count(needed))
      throw CommandError(fmt::format("--{} is missing", needed));
  const std::string variant = arguments["variant"].as<std::string>();
  if (variant != "coverage" && variant != "mutants")
    throw CommandError(fmt::format("--variant: '{}' is not known", variant));
  const frontend::CudaOptions source{.file = arguments["source"].as<std::string>(),
                                     .arguments = {argv + std::min(own + 1, argc), argv + argc},
                                     .source_root = arguments["source-root"].as<std::string>()};
  const frontend::FileNames names(source.source_root);
  auto flat = frontend::read_cuda(source);
  if (!flat)
    throw CommandError(llvm::toString(flat.takeError()));
  auto comments = frontend::read_ignore_comments(flat->dependencies, names);
  if (!comments)
    throw CommandError(llvm::toString(comments.takeError()));
  const Job job{.source = source,
                .flat = *flat,
                .name = names.name(source.file),
                .unit = arguments["unit"].as<std::string>(),
                .folder = arguments["output"].as<std::string>(),
                .relocatable = arguments.count("relocatable") > 0,
                .architectures = list_of(arguments, "architecture"),
                .others = arguments.count("other-architectures") > 0,
                .whole = arguments.count("whole") > 0};
  fs::create_directories(job.folder);
  if (arguments.count("dependencies") > 0)
    model::write_atomically(arguments["dependencies"].as<std::string>(),
                            fmt::format("{}\n", fmt::join(flat->dependencies, "\n")));
  if (variant == "mutants")
    write_mutants(job);
  else
    write_coverage(job, *comments);
  return Held;
}

} // namespace gputest::driver

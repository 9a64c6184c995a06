#include "driver/cuda/variants.h"

#include "driver/command_error.h"
#include "driver/source_arguments.h"
#include "frontend/cuda/unit.h"
#include "frontend/file_names.h"
#include "frontend/ignore_comments.h"
#include "model/files.h"
#include "passes/coverage/coverage.h"
#include "passes/mutation/cuda.h"
#include "passes/mutation/ignore_comments.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

struct Job {
  const passes::CudaOptions& source;
  const passes::FlatSource& flat;
  std::string name, unit;
  fs::path folder;
  bool whole = false; // for a compiler that makes the host's code of the copy, too
};

// Host code that names the state to the library that the program is linked with (cuda/gpu).
std::string registration(const Job& job, const std::string& variant) {
  return fmt::format(
      "\nextern \"C\" int gputest_gpu_unit(const char* variant, const char* folder, "
      "int (*address)(void**), unsigned long size);\n"
      "static const int gputest_registered = gputest_gpu_unit(\"{0}\", \"{2}\", "
      "[](void** at) -> int {{ return cudaGetSymbolAddress(at, gputest_{0}_{1}); }}, "
      "sizeof(gputest_{0}_{1}));\n",
      variant, job.unit, fs::absolute(job.folder).lexically_normal().string());
}

void parse(const Job& job, const std::function<void(const passes::Tree&)>& use) {
  if (llvm::Error error = passes::parse_cuda(job.flat, job.source, [&](const passes::Tree& tree) {
        use(tree);
        return llvm::Error::success();
      }))
    throw CommandError(llvm::toString(std::move(error)));
}

void write_coverage(const Job& job, const std::vector<passes::IgnoreComment>& comments) {
  passes::CoverageVariant coverage;
  parse(job, [&](const passes::Tree& tree) {
    coverage = passes::instrument_cuda_coverage(tree, job.name, job.unit, !job.whole, comments);
  });
  const passes::FileNames names(job.source.source_root);
  coverage.sites.sources = model::source_files(
      job.flat.dependencies, [&](const std::string& file) { return names.name(file); });
  if (job.whole)
    coverage.text += registration(job, "coverage");
  model::write_atomically(job.folder / "coverage.cu", coverage.text);
  model::write_site_table(coverage.sites, job.folder / "sites.json");
}

void write_mutants(const Job& job) {
  passes::mutation::CudaMutants mutants;
  parse(job, [&](const passes::Tree& tree) {
    mutants = passes::mutation::mutate_cuda(tree, job.name, job.unit);
  });
  if (llvm::Error error = passes::mutation::ignore_by_comments(
          job.flat.dependencies, passes::FileNames(job.source.source_root), mutants.table.mutants))
    throw CommandError(llvm::toString(std::move(error)));
  if (job.whole) {
    model::write_atomically(job.folder / "mutants.cu",
                            mutants.whole + registration(job, "mutants"));
  } else {
    model::write_atomically(job.folder / "mutants.cu", mutants.device);
    model::write_atomically(job.folder / "mutants-host.cu", mutants.host);
  }
  model::write_mutant_table(mutants.table, job.folder / "mutants.json");
}

int cuda(int argc, char** argv) {
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
  passes::CudaOptions source{.file = arguments["source"].as<std::string>(),
                             .arguments = {argv + std::min(own + 1, argc), argv + argc},
                             .source_root = arguments["source-root"].as<std::string>()};
  const passes::FileNames names(source.source_root);
  auto flat = passes::read_cuda(source);
  if (!flat)
    throw CommandError(llvm::toString(flat.takeError()));
  auto comments = passes::read_ignore_comments(flat->dependencies, names);
  if (!comments)
    throw CommandError(llvm::toString(comments.takeError()));
  const Job job{.source = source,
                .flat = *flat,
                .name = names.name(source.file),
                .unit = arguments["unit"].as<std::string>(),
                .folder = arguments["output"].as<std::string>(),
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

} // namespace

int cuda_command(int argc, char** argv) {
  return run_command("cuda", [&] { return cuda(argc, argv); });
}

} // namespace gputest::driver

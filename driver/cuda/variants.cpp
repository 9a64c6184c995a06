#include "driver/cuda/variants.h"

#include "driver/command_error.h"
#include "driver/source_arguments.h"
#include "frontend/cuda/unit.h"
#include "frontend/file_names.h"
#include "frontend/ignore_comments.h"
#include "model/files.h"
#include "passes/coverage/coverage.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

int cuda(int argc, char** argv) {
  cxxopts::Options options("gputest-passes cuda",
                           "Writes coverage.cu and sites.json of a CUDA file. The arguments behind "
                           "-- are Clang's, by which the file is compiled for the device");
  options.add_options()("variant", "What the copy is for: coverage", cxxopts::value<std::string>())(
      "source", "The .cu file", cxxopts::value<std::string>())(
      "unit", "A name that is unique in the program: letters, digits and _",
      cxxopts::value<std::string>())("output", "The folder of the files",
                                     cxxopts::value<std::string>())(
      "source-root", "The folder to which names of files are relative",
      cxxopts::value<std::string>()->default_value(""))("help", "Shows this");
  int own = 0;
  while (own < argc && std::string_view(argv[own]) != "--")
    ++own;
  const cxxopts::ParseResult arguments = options.parse(own, argv);
  if (arguments.count("help")) {
    fmt::print("{}", options.help());
    return Held;
  }
  for (const char* needed : {"variant", "source", "unit", "output"})
    if (!arguments.count(needed))
      throw CommandError(fmt::format("--{} is missing", needed));
  if (const std::string variant = arguments["variant"].as<std::string>(); variant != "coverage")
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
  passes::CoverageVariant coverage;
  if (llvm::Error error = passes::parse_cuda(*flat, source, [&](const passes::Tree& tree) {
        coverage = passes::instrument_cuda_coverage(tree, names.name(source.file),
                                                    arguments["unit"].as<std::string>(), *comments);
        return llvm::Error::success();
      }))
    throw CommandError(llvm::toString(std::move(error)));
  coverage.sites.sources = model::source_files(
      flat->dependencies, [&](const std::string& file) { return names.name(file); });
  const fs::path folder = arguments["output"].as<std::string>();
  fs::create_directories(folder);
  model::write_atomically(folder / "coverage.cu", coverage.text);
  model::write_site_table(coverage.sites, folder / "sites.json");
  return Held;
}

} // namespace

int cuda_command(int argc, char** argv) {
  return run_command("cuda", [&] { return cuda(argc, argv); });
}

} // namespace gputest::driver

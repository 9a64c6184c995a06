// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/source_arguments.h"
#include "frontend/file_names.h"
#include "hostgen/harness.h"
#include "model/files.h"
#include "model/language.h"
#include "passes/coverage/coverage.h"
#include "passes/describe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

struct Variants {
  std::vector<std::string> dependencies;
  model::Interface interface;
  passes::CoverageVariant coverage;
};

Variants make_variants(const frontend::SourceOptions& options) {
  const frontend::FlatSource flat = flat_source(options);
  Variants variants;
  variants.dependencies = flat.dependencies;
  const std::string name = source_name(options);
  const frontend::FileNames names(options.source_root);
  if (model::row_of(fs::path(options.file)).has_source) {
    auto comments = frontend::read_ignore_comments(flat.dependencies, names);
    if (!comments)
      throw CommandError(llvm::toString(comments.takeError()));
    parse_kernels(flat, options, [&](const frontend::Tree& tree) {
      variants.interface = passes::describe(tree, name);
      variants.coverage = passes::instrument_coverage(tree, name, *comments);
    });
  } else { // the module itself runs
    parse_kernels(flat, options, [&](const frontend::Tree& tree) {
      variants.interface = passes::describe(tree, name);
    });
    variants.coverage.text = flat.text;
    variants.coverage.sites.source = name;
  }
  variants.coverage.sites.device_macros = flat.device_macros;
  variants.coverage.sites.sources = model::source_files(
      flat.dependencies, [&](const std::string& file) { return names.name(file); });
  return variants;
}

} // namespace

int instrument_command(int argc, char** argv) {
  cxxopts::Options options(
      "gputest instrument",
      "Writes coverage.cl, sites.json and interface.json of an OpenCL C file; of a "
      "CUDA file coverage.cu");
  add_variant_options(options, Languages::All);
  add_output_option(options);
  options.add_options()("host-version",
                        "CUDA: also write host_version.cu, which calls --function on the host");
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  const fs::path folder = output_folder(arguments);
  frontend::SourceOptions source = source_options(arguments, Named::File, Languages::All);
  const bool wants_host = arguments.count("host-version") != 0;
  if (wants_host && arguments.count("function") == 0)
    throw CommandError("error: --host-version: say with --function which function it calls");
  std::string host_version;
  add_wrapper(arguments, source, wants_host ? &host_version : nullptr);
  const Variants variants = make_variants(source);

  // Everything is at hand before the first file is touched.
  fs::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) {
    model::write_atomically(folder / name, text);
  };
  write("interface.json", model::to_json(variants.interface).dump(2) + "\n");
  write(model::file_of_variant("coverage.cl", source.file).c_str(), variants.coverage.text);
  if (!source.appended.empty())
    write(model::file_of_variant("wrapper.cl", source.file).c_str(), source.appended);
  if (wants_host)
    write(
        model::file_of_variant("host_version.cl", source.file).c_str(),
        fmt::format("// Calls {} on the host, for each thread of a launch.\n#include \"{}\"\n\n{}",
                    arguments["function"].as<std::string>(),
                    hostgen::relative_path(source.file, folder), host_version));
  model::write_site_table(variants.coverage.sites, folder / "sites.json");
  // Ninja wants the first of several outputs, which is the one written last.
  if (arguments.count("depfile"))
    write_depfile(arguments["depfile"].as<std::string>(), {(folder / "sites.json").string()},
                  variants.dependencies);
  return Held;
}

} // namespace gputest::driver

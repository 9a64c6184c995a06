// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/source_arguments.h"
#include "model/files.h"
#include "model/language.h"
#include "model/spirv/module.h"
#include "passes/describe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

std::string embedded_source(const std::string& file) {
  const std::optional<std::string> bytes = model::read_text(file);
  if (!bytes || model::row_of(fs::path(file)).has_source)
    throw CommandError(
        fmt::format("{}: error: --embedded-source is for SPIR-V, whose files end with .spv", file));
  const std::vector<model::SpirvSource> sources = model::SpirvModule(*bytes, file).sources();
  if (sources.empty() || !sources.front().text)
    throw CommandError(fmt::format("{}: error: the module embeds no source; {}", file,
                                   model::advice_for_source(file)));
  return *sources.front().text;
}

} // namespace

int describe_command(int argc, char** argv) {
  cxxopts::Options options("gputest describe",
                           "The interface of every kernel in an OpenCL C or CUDA file, as JSON");
  add_source_options(options);
  add_build_options(options, Languages::All);
  options.add_options()("o,output", "Write to a file; your edits in it stay",
                        cxxopts::value<std::string>())(
      "embedded-source", "For a SPIR-V file: print the source that it embeds, and nothing else");
  options.positional_help("SOURCE");
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);

  const frontend::SourceOptions source = source_options(arguments, Named::File, Languages::All);
  if (arguments.count("embedded-source")) {
    fmt::print("{}", embedded_source(source.file));
    return Held;
  }
  model::Interface interface;
  const frontend::FlatSource flat = flat_source(source);
  parse_kernels(
      flat, source,
      [&](const frontend::Tree& tree) { interface = passes::describe(tree, source_name(source)); },
      model::row_of(fs::path(source.file)).has_instances ? Kernels::Needed : Kernels::Any);

  if (!arguments.count("output")) {
    fmt::print("{}\n", model::to_json(interface).dump(2));
    return Held;
  }
  const fs::path output = arguments["output"].as<std::string>();
  if (fs::exists(output))
    interface = model::merge_edits(std::move(interface), model::read_interface(output));
  model::write_interface(interface, output);
  if (arguments.count("depfile"))
    write_depfile(arguments["depfile"].as<std::string>(), {output.string()}, flat.dependencies);
  return Held;
}

} // namespace gputest::driver

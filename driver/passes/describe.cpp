// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/source_arguments.h"
#include "passes/describe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

} // namespace

int describe_command(int argc, char** argv) {
  cxxopts::Options options("gputest describe",
                           "The interface of every kernel in an OpenCL C or CUDA file, as JSON");
  add_source_options(options);
  add_build_options(options, Languages::All);
  options.add_options()("o,output", "Write to a file; your edits in it stay",
                        cxxopts::value<std::string>());
  options.positional_help("SOURCE");
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);

  const passes::SourceOptions source = source_options(arguments, Named::File, Languages::All);
  model::Interface interface;
  const passes::FlatSource flat = flat_source(source);
  parse_kernels(
      flat, source,
      [&](const passes::Tree& tree) { interface = passes::describe(tree, source_name(source)); },
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/source_arguments.h"
#include "model/files.h"
#include "passes/schedule/schedule.h"

#include <fmt/format.h>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

} // namespace

int schedule_command(int argc, char** argv) {
  cxxopts::Options options("gputest schedule",
                           "Writes schedule.cl, guarded.cl and schedule-sites.json of an OpenCL C "
                           "file, and lists calls that cannot be remapped");
  add_variant_options(options);
  add_output_option(options);
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  const fs::path folder = output_folder(arguments);
  frontend::SourceOptions source = source_options(arguments);
  add_wrapper(arguments, source);
  const frontend::FlatSource flat = flat_source(source);
  passes::ScheduleVariant variant;
  parse_kernels(flat, source, [&](const frontend::Tree& tree) {
    variant = passes::schedule(tree, source_name(source));
  });
  variant.sites.device_macros = flat.device_macros;
  for (const model::NotInstrumented& entry : variant.sites.not_remapped)
    fmt::print(stderr, "{}:{}:{}: note: {}: {}\n", entry.file, entry.line, entry.column,
               entry.construct, entry.reason);

  fs::create_directories(folder);
  model::write_atomically(folder / "schedule.cl", variant.text);
  model::write_atomically(folder / "guarded.cl", variant.guarded);
  // Written last, so that the text of the sites exists.
  const fs::path sites = folder / "schedule-sites.json";
  model::write_schedule_sites(variant.sites, sites);
  if (arguments.count("depfile"))
    write_depfile(arguments["depfile"].as<std::string>(), {sites.string()}, flat.dependencies);
  return Held;
}

} // namespace gputest::driver

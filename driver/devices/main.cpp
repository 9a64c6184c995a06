// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program gputest-devices, which gputest starts: the subcommand that asks OpenCL. The command
// itself never does.
#include "driver/command_error.h"
#include "driver/devices/resources.h"
#include "gputest/error.h"
#include "model/files.h"
#include "runtime/machine/opencl/device.h"

#include <cxxopts.hpp>
#include <fmt/format.h>
#include <string_view>

namespace gputest::driver {
namespace {

std::vector<ListedDevice> listed(const std::vector<runtime::Device>& devices) {
  std::vector<ListedDevice> all;
  for (const runtime::Device& device : devices)
    all.push_back({.type = device.type,
                   .name = device.name,
                   .cores = device.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()});
  return all;
}

int resources(int argc, char** argv) {
  cxxopts::Options options(
      "gputest resources",
      "Writes CTest's resource specification of the OpenCL devices of this machine, so that `ctest "
      "-j 8 --resource-spec-file resources.json` gives each test a GPU of its own.\n");
  options.add_options()("o,output", "The file to write; without it, standard output",
                        cxxopts::value<std::string>(), "FILE")(
      "slots", "So many tests may share a GPU", cxxopts::value<std::string>()->default_value("1"),
      "N")("h,help", "Print this");
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  if (!arguments.unmatched().empty())
    throw CommandError(fmt::format("error: '{}' is not expected; see gputest resources --help",
                                   arguments.unmatched().front()));
  const auto slots = static_cast<unsigned>(whole_option(arguments, "slots", {1, ~0U}));
  std::vector<runtime::Device> devices;
  try {
    devices = runtime::list_devices();
  } catch (const NoDevice& none) {
    fmt::print(stderr, "{}\n", none.what());
    return 77;
  }
  const std::string text = resource_specification(listed(devices), slots).dump(2) + '\n';
  if (!arguments.count("output")) {
    fmt::print("{}", text);
    return Held;
  }
  const auto file = arguments["output"].as<std::string>();
  try {
    model::write_atomically(file, text);
  } catch (const std::runtime_error& error) {
    throw CommandError(error.what());
  }
  fmt::print("{}", runtime::describe(devices));
  return Held;
}

} // namespace
} // namespace gputest::driver

int main(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "resources")
    return gputest::driver::refuse_by_hand("gputest-devices");
  return gputest::driver::run_command(
      "resources", [&] { return gputest::driver::resources(argc - 1, argv + 1); });
}

// For tests that need an OpenCL device, or a harness that runs in a process of its own.
#pragma once

#include "model/interface.h"
#include "process/command.h"
#include "tests/runtime/device_needs.h"
#include "tests/runtime/interface_builder.h"
#include "tests/temporary_folder.h"

#include <nlohmann/json.hpp>

namespace gputest::tests {

// A kernel with its files in a folder of its own, and the harness that runs it.
class HarnessProject {
public:
  HarnessProject(const std::string& source, const model::KernelInterface& kernel) {
    folder.write("kernel.cl", source);
    model::Interface interface;
    interface.source = "kernel.cl";
    interface.kernels = {kernel};
    model::write_interface(interface, folder.path() / "interface.json");
    description = {{"source", (folder.path() / "kernel.cl").string()},
                   {"kernel", kernel.name},
                   {"kernel_dir", folder.path().string()},
                   {"global_size", {4}},
                   {"local_size", {2}},
                   {"test_cases", nlohmann::json::array()}};
  }

  void add_case(const std::string& name, const std::string& json) {
    description["test_cases"].push_back(folder.write(name + ".json", json).string());
  }

  process::CommandResult run(const std::vector<std::string>& options = {},
                             const std::string& environment = "") const {
    const auto file = folder.write("description.json", description.dump());
    std::vector<std::string> command{"/usr/bin/env"};
    if (!environment.empty())
      command.push_back(environment);
    command.insert(command.end(), {GPUTEST_HARNESS_FIXTURE, file.string()});
    command.insert(command.end(), options.begin(), options.end());
    return process::run_command(command);
  }

  nlohmann::json result(const std::string& name) const {
    return nlohmann::json::parse(folder.read(name));
  }

  TemporaryFolder folder;
  nlohmann::json description;
};

} // namespace gputest::tests

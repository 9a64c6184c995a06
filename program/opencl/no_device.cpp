// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/no_device.h"

#include "process/scratch_folder.h"

#include <fmt/format.h>

namespace gputest::program {
namespace {

constexpr const char* kNone =
    "there is no OpenCL device: `gputest resources` lists those there are";

} // namespace

bool lacks_opencl(const std::filesystem::path& command) {
  constexpr double kSeconds = 60;
  const process::ScratchFolder folder("gputest-devices");
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  return run_child({.command = {(command.parent_path() / "gputest-devices").string(), "resources",
                                "--output", file("resources.json")},
                    .environment = {},
                    .timeout = kSeconds,
                    .output = file("output")})
             .exit_code == kSkipped;
}

std::string no_device_hint(const std::filesystem::path& command) {
  return lacks_opencl(command) ? fmt::format("; {}", kNone) : "";
}

std::string why_nothing(const RunRecords& records, const std::filesystem::path& command) {
  if (records.no_device || (records.processes == 0 && lacks_opencl(command)))
    return kNone;
  if (records.processes == 0)
    return "it made no OpenCL call, or its ICD loader knows no layers (ocl-icd 2.3 and the Khronos "
           "loader do)";
  if (records.programs.empty())
    return "it built no OpenCL program";
  return "none of its OpenCL programs could be measured";
}

} // namespace gputest::program

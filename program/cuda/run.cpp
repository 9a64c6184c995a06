// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/run.h"

#include <fmt/format.h>

namespace gputest::program {

namespace fs = std::filesystem;

ChildSettings child_with(const CudaRun& run, const std::string& variant, const fs::path& records) {
  fs::remove_all(records);
  fs::create_directories(records);
  ChildSettings child = run.child;
  child.environment["GPUTEST_CUDA_VARIANT"] = variant;
  child.environment["GPUTEST_CUDA_RECORDS"] = records.string();
  if (variant == "mutants") { // the host's code that a mutant runs is not covered by it
    child.environment["GCOV_PREFIX"] = (records / "host").string();
    child.environment["LLVM_PROFILE_FILE"] = (records / "host" / "%p.profraw").string();
  }
  return child;
}

bool lacks_device(const CudaRun& run) {
  if (run.device != "gpu")
    return false;
  ChildSettings child = run.child;
  child.environment["GPUTEST_CUDA_PROBE"] = "1";
  return run_child(child).exit_code == kSkipped;
}

std::string nothing_recorded(const CudaRun& run, const std::string& keyword) {
  const std::string& program = run.child.command.front();
  if (run.device == "gpu")
    return fmt::format("{} launched no kernel that is built for {}: is it the copy of its target "
                       "that gputest_add_cuda_program(… {} DEVICE gpu) makes?",
                       program, keyword, keyword);
  return fmt::format(
      "{} launched no kernel in the simulator that is built for {}: is it built with "
      "gputest-cuda (cmake --toolchain gputest-cuda.cmake), is it the TARGET of "
      "gputest_add_cuda_program(… {}), and has it kernels of its own? Those of libraries such as "
      "cuBLAS are not measured.",
      program, keyword, keyword);
}

} // namespace gputest::program

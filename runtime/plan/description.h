// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host program's description, with memory of its own.
#pragma once

#include "gputest/harness.h"
#include "gputest/launch.h"
#include "gputest/property.h"
#include "gputest/reference.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gputest::runtime {

// gputest::KernelDescription says what each member means.
struct KernelDescription {
  KernelDescription() = default;
  explicit KernelDescription(const gputest::KernelDescription& written);

  std::string name, source, kernel, function, kernel_dir, user_interface;
  std::vector<std::size_t> global_size, local_size, global_offset;
  std::size_t shared_memory = 0;
  unsigned lock_step = 0;
  std::vector<std::string> arguments, requirements, test_cases;
  bool has_case_of_arguments = false;
  Tolerance tolerance;
  std::vector<std::string> build_options, definitions, include_dirs;
  std::string cl_std;
  double timeout = 60;
  std::string device;
  std::map<std::string, std::string> settings;
  std::string driver, simulator;
  std::function<void(const ReferenceCall&)> reference;
  struct OtherKernel {
    std::string source, kernel, dir;
    std::vector<std::string> global_size, local_size; // expressions
    std::vector<std::string> arguments;
  } reference_kernel;
  std::function<void(const PropertyCall&)> property;

  bool has_reference_kernel() const { return !reference_kernel.source.empty(); }
  bool has_reference() const { return reference || has_reference_kernel(); } // of either kind
};

} // namespace gputest::runtime

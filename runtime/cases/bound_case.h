// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test case with a value for every argument, ready to launch.
#pragma once

#include "gputest/error.h"
#include "gputest/launch.h"
#include "model/interface.h"
#include "model/language.h"
#include "runtime/cases/argument.h"
#include "runtime/cases/case_file.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace gputest::runtime {

// Defaults for what a test case leaves open; see KernelDescription.
struct CaseDefaults {
  std::vector<std::size_t> global_size, local_size, global_offset{};
  std::vector<ArgumentSpec> arguments{};
  std::vector<std::string> requirements{}; // conditions that each case must obey
  // Buffers that have an element for each work-item where nothing else gives a size: those of a
  // device function under test.
  std::set<std::string> one_per_item{};
  Tolerance tolerance{};
  std::filesystem::path interface_folder{}; // files named in the interface are relative to it
  bool allow_remainder = false;  // the global size need not be a multiple of the local size
  std::size_t shared_memory = 0; // of CUDA: bytes
  std::size_t lock_step = 0;     // of so many work-items
  model::Language language = model::Language::OpenCL;
};

struct BoundCase {
  std::string name;
  Launch launch;
  Tolerance tolerance;
  std::vector<LaunchArgument> arguments; // by position
  std::vector<model::Type> types;        // by position: type of an element; for images, of a pixel
  std::vector<bool> outputs;             // by position: whether it is compared with a reference

  struct Expected {
    std::size_t position;
    Bytes bytes;
  };
  std::vector<Expected> expected;
};

// Without a value for an argument, or without a global size.
class MissingValue : public UsageError {
public:
  using UsageError::UsageError;
};

// Gives each argument its size and content: those of the test case, else of ARGUMENTS, else of the
// interface. Throws MissingValue, and UsageError naming case and argument where the kernel has no
// such argument, a value does not fit the type, the NDRange cannot be launched, or a
// requirement does not hold.
BoundCase bind_case(const TestCase& test_case, const model::KernelInterface& kernel,
                    const CaseDefaults& defaults);

// Throws what bind_case() would throw, but makes no buffers, and reads only the headers of files:
// requirements are not looked at. So it is quick, and work that takes long is left to a process
// that can be ended.
void check_case(const TestCase& test_case, const model::KernelInterface& kernel,
                const CaseDefaults& defaults);

// Returns the launch that bind_case() would give the case, without reading files. Throws
// UsageError.
Launch launch_of(const TestCase& test_case, const model::KernelInterface& kernel,
                 const CaseDefaults& defaults);

// Throws UsageError, beginning with `what`, for a case that relies on another lock step than the
// one that the kernel is compiled for.
void expect_lock_step(const BoundCase& test_case, std::size_t lock_step, const std::string& what);

// Throws UsageError for ARGUMENTS that the kernel does not have. So a misspelt name is reported
// once, and not for each case.
void check_specs(const std::vector<ArgumentSpec>& specs, const model::KernelInterface& kernel);

// Marks all memory that the kernel may change to be read back, and not only what is compared.
void read_back_all(BoundCase& test_case);

} // namespace gputest::runtime

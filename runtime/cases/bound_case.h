// A test case with a value for every argument, ready to launch.
#pragma once

#include "gputest/launch.h"
#include "model/interface.h"
#include "model/language.h"
#include "runtime/cases/argument.h"
#include "runtime/cases/case_file.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::runtime {

// What there is besides the test cases themselves; see KernelDescription.
struct CaseDefaults {
  std::vector<std::size_t> global_size, local_size;
  std::vector<ArgumentSpec> arguments{};
  Tolerance tolerance{};
  std::filesystem::path interface_folder{}; // files named in the interface are relative to it
  bool allow_remainder = false;             // global size may be no multiple of the local size
  std::size_t shared_memory = 0;            // of CUDA: bytes
  model::Language language = model::Language::OpenCL;
};

struct BoundCase {
  std::string name;
  Launch launch;
  Tolerance tolerance;
  std::vector<LaunchArgument> arguments; // by position
  std::vector<model::Type> types;        // by position: of an element; of a pixel for images
  std::vector<bool> outputs;             // by position: compared with a reference

  struct Expected {
    std::size_t position;
    Bytes bytes;
  };
  std::vector<Expected> expected;
};

// For each argument the sizes and content of the first of: the test case, ARGUMENTS, the interface.
// Throws UsageError naming case and argument: no value, names the kernel does not have, values that
// do not fit the type, NDRanges that cannot be launched.
BoundCase bind_case(const TestCase& test_case, const model::KernelInterface& kernel,
                    const CaseDefaults& defaults);

// Throws what bind_case would throw, but makes no buffer and reads no more of a file than says how
// much is in it: what takes time is for a process that can be ended.
void check_case(const TestCase& test_case, const model::KernelInterface& kernel,
                const CaseDefaults& defaults);

// That of bind_case, without what files hold. Throws UsageError.
Launch launch_of(const TestCase& test_case, const model::KernelInterface& kernel,
                 const CaseDefaults& defaults);

// Messages for misspelt ARGUMENTS come once, not for each case. Throws UsageError.
void check_specs(const std::vector<ArgumentSpec>& specs, const model::KernelInterface& kernel);

// All memory that the kernel may change is to be read back, not only what is compared.
void read_back_all(BoundCase& test_case);

} // namespace gputest::runtime

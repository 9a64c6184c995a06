// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of one test case on an OpenCL device. It is written anew before each run, and read
// after it.
#pragma once

#include "runtime/machine/opencl/kernel_memory.h"
#include "runtime/machine/repeated_case.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

class CaseMemory {
public:
  // Makes the memory objects. `outputs` are the positions of what is read back. Throws DeviceError.
  CaseMemory(const Context& context, BoundCase test_case, std::string kernel,
             const std::vector<std::size_t>& outputs);

  const BoundCase& test_case() const { return case_; }

  // Returns a kernel of `program` with its arguments set. `state` is one more argument, if it is
  // given.
  cl::Kernel make_kernel(const BuiltProgram& program, const cl::Buffer* state) const;

  // Enqueue work and do not wait. restore() writes the case's content to all that a kernel may
  // write. launch() launches. fetch() reads outputs and guard zones back. All throw cl::Error, and
  // launch() also LaunchRefused.
  void restore() const;
  void launch(const cl::Kernel& kernel, const Launch& launch) const;
  void fetch();

  // Return what was fetched, once the queue has finished. `output`: index into the constructor's
  // `outputs`.
  std::span<const std::byte> content(std::size_t output) const;
  std::string overrun() const; // "kernel 'x' wrote 3 bytes past the end of 'out' …"; empty: none

private:
  struct Written {
    std::size_t position;
    Bytes initial;                     // content and guard zone
    Bytes after;                       // content (of an output) and guard zone
    std::optional<std::size_t> output; // index
  };

  const Context& context_;
  BoundCase case_;
  std::string kernel_;
  KernelMemory memory_;
  std::vector<Written> written_;
  std::vector<std::size_t> written_of_; // by output
  Bytes guard_zone_;
};

} // namespace gputest::runtime

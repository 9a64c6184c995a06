// The memory of one test case on an OpenCL device: written anew before each run, and looked at
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
  // Makes the memory objects. `outputs`: positions of what is read back. Throws DeviceError.
  CaseMemory(const Context& context, BoundCase test_case, std::string kernel,
             const std::vector<std::size_t>& outputs);

  const BoundCase& test_case() const { return case_; }

  // A kernel of `program` with its arguments set; with `state` as one more, if given.
  cl::Kernel make_kernel(const BuiltProgram& program, const cl::Buffer* state) const;

  // Enqueued and not waited for: the case's content into all that a kernel may write; a launch; and
  // outputs and guard zones back. Throw cl::Error, launch() also LaunchRefused.
  void restore() const;
  void launch(const cl::Kernel& kernel, const Launch& launch) const;
  void fetch();

  // Once what was fetched is there. `output`: index into the constructor's `outputs`.
  std::span<const std::byte> content(std::size_t output) const;
  std::string overrun() const; // "kernel 'x' wrote 3 bytes past the end of 'out' …"; empty: none

private:
  struct Written {
    std::size_t position;
    Bytes initial;                     // and the guard zone
    Bytes after;                       // content (if an output) and guard zone
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

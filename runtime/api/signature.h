// Checking arguments given from C++ against what the kernel declares: what a device says of the
// built kernel (clGetKernelArgInfo), or what `gputest` says of its source.
#pragma once

#include "gputest/kernel_argument.h"
#include "model/interface.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/opencl/device.h"

#include <string>
#include <vector>

namespace gputest::runtime {

struct DeclaredArgument {
  std::string name, type; // type: of the element, without '*'; empty: not told, as in CUDA
  cl_kernel_arg_address_qualifier address_space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  bool pointer = false;
  bool constant = false; // of a pointer: its elements are const
  bool writable = true;  // images: write_only or read_write
  std::size_t size = 0;  // of a value whose type is not told, in bytes
};

// The first `count` arguments, by the names the author gave them. Empty if the device does not tell
// (it need not without -cl-kernel-arg-info).
std::vector<DeclaredArgument> declared_arguments(const cl::Kernel& kernel, const Device& device,
                                                 std::size_t count);

// The same of the source.
std::vector<DeclaredArgument> declared_arguments(const model::KernelInterface& kernel);

// The same of a kernel in CUDA, whose compiled code tells names and sizes alone.
std::vector<DeclaredArgument>
declared_arguments(const std::vector<BuiltKernel::Parameter>& parameters);

// Throws UsageError naming the argument, what is declared and what was given. Of types that the
// program defines, only what their names say is checked: a "struct View" by value is no number and
// no vector, an "enum Mode" is an integer, a typedef is anything.
void check_argument(const DeclaredArgument& declared, const detail::KernelArgument& given,
                    std::size_t position, const std::string& kernel);

} // namespace gputest::runtime

// A kernel between the front end and the machine: inlined, alone, and with its work-item's place
// as parameters.
#pragma once

#include <llvm/IR/Module.h>

#include <cstddef>
#include <string>
#include <vector>

namespace gputest::simulator {

struct Parameter {
  enum class Kind { Value, Buffer, Local, Image, Sampler };
  std::string name, type; // type: as declared
  Kind kind = Kind::Value;
  std::size_t offset = 0, size = 0; // in the block of arguments: bytes
};

// A place in the kernel that messages are about.
struct Site {
  std::string file; // as #line names it
  unsigned line = 0, column = 0;
};

struct LocalVariable {
  std::string name;
  std::size_t offset = 0, size = 0; // in the block of local memory: bytes
};

struct KernelShape {
  std::string name;
  std::vector<Parameter> parameters;
  std::size_t arguments_size = 0;         // bytes
  std::vector<std::size_t> required_size; // reqd_work_group_size; empty: none
  std::vector<Site> sites;
  std::vector<LocalVariable> local_variables;
  std::size_t local_size = 0; // bytes of the __local variables
  bool has_barriers = false;
  std::size_t frame_size = 0;   // bytes a work-item keeps across barriers
  std::size_t private_size = 0; // bytes of private variables of a work-item
};

// The names of the kernels of a module, in order.
std::vector<std::string> kernel_names(const llvm::Module& module);

} // namespace gputest::simulator

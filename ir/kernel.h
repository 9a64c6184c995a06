// A kernel between the front end and the machine: inlined, alone, and with its work-item's place
// as parameters.
#pragma once

#include "model/checks/finding.h"
#include "model/language.h"

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
  bool constant = false;            // Buffer: a pointer to const
};

// Memory that a pointer can come from. Those that the launch places come first: buffers and __local
// arguments, variables of the program (OpenCL C 2.0), and with checks __local variables.
struct Object {
  enum class Kind { Argument, ProgramVariable, LocalVariable, PrivateVariable, Constant };
  std::string name;
  Kind kind = Kind::Argument;
  unsigned parameter = 0; // of Argument
  std::size_t size = 0;   // bytes; of Argument the launch says, and of LocalVariable if it is 0
  std::string initial{};  // of ProgramVariable: its bytes before the first launch; empty: zeros

  // What LocalVariable and ProgramVariable have in a launch with so much dynamic __shared__ memory.
  std::size_t size_in_launch(std::size_t shared_bytes) const {
    return kind == Kind::LocalVariable && size == 0 ? shared_bytes : size;
  }
};

using model::Language;

// A sentence about a work-item that a check's code says by its number (simulator/checks/report.h).
struct CheckMessage {
  std::string kind, text; // of the finding: "shift", "shifts by at least the width of the type"
  bool operator==(const CheckMessage&) const = default;
};

struct KernelShape {
  std::string name;
  Language language = Language::OpenCL;
  model::CodePlace place; // of its definition; column 1
  std::vector<Parameter> parameters;
  std::size_t arguments_size = 0;         // bytes
  std::vector<std::size_t> required_size; // reqd_work_group_size; empty: none
  std::vector<model::CodePlace> sites;
  std::vector<Object> objects;
  std::vector<CheckMessage> messages;
  bool by_itself = false;    // of CUDA: all its memory is that of one launch (cuda/by_itself.h)
  bool copies = false;       // async copies of work-groups are called
  bool has_barriers = false; // or other places where work-items stop (visits.h)
  bool warps = false;    // work-items stop for others of their warp (templates/simulator/warps.c)
  bool grid = false;     // and for all blocks of the grid
  bool in_turns = false; // and for what is neither a barrier nor a warp: each goes on by itself
  std::size_t frame_size = 0; // bytes a work-item keeps across barriers
  bool uninitialized = false; // definedness is followed (uninitialized.h)
  bool races = false;         // accesses leave marks (templates/simulator/races.c)
  unsigned grain = 4;         // with races: so many bytes have a cell, 1 or 4
  bool pixels = false;        // with races: of images, too
  bool atomics = false;       // with races: cells have marks of atomic accesses
  bool syncs = false;         // with races: fences and ordered accesses order others (CUDA)
  bool ranges = false;        // with races: loops look at all that they access before they begin
  unsigned site_bits = 15;    // of a mark
};

// The names of the kernels of a module, in order.
std::vector<std::string> kernel_names(const llvm::Module& module);

} // namespace gputest::simulator

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of a lowered kernel (kernels/lower.h).
#pragma once

#include "model/checks/finding.h"
#include "model/language.h"
#include "model/type.h"

#include <llvm/IR/Module.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::ir {

struct Parameter {
  using Kind = model::ArgumentKind;
  std::string name, type; // type: its declaration
  Kind kind = Kind::Value;
  std::size_t offset = 0, size = 0; // in the block of arguments, in bytes
  bool constant = false;            // Buffer: a pointer to const, or a pipe that is read
  bool pipe = false;                // Buffer: of packets
};

// A pointer in a program-scope variable.
struct PointerInVariable {
  std::size_t at = 0;      // in bytes from the variable's begin
  std::string variable{};  // the object that it points into; "": none
  std::int64_t offset = 0; // in bytes from that object's begin
};

// An object that pointers can point into. Objects placed by the launch come first: buffers and
// __local arguments, program-scope variables (OpenCL C 2.0) and, with checks, __local variables.
struct Object {
  enum class Kind { Argument, ProgramVariable, LocalVariable, PrivateVariable, Constant };
  std::string name;
  Kind kind = Kind::Argument;
  unsigned parameter = 0; // Argument: the parameter's index
  std::size_t size = 0;   // bytes; the launch decides for Argument, and for a LocalVariable of size
                          // 0
  std::string initial{};  // ProgramVariable: its bytes before the first launch; empty: zeros
  std::string bytes{};    // on-chip memory: bytes_in() of an element (padding.h); empty: values
  std::vector<PointerInVariable> pointers{}; // ProgramVariable: all, as before the first launch

  // Returns the bytes of a LocalVariable or ProgramVariable in a launch with `shared_bytes` of
  // dynamic __shared__ memory.
  std::size_t size_in_launch(std::size_t shared_bytes) const {
    return kind == Kind::LocalVariable && size == 0 ? shared_bytes : size;
  }
};

using model::Language;

// A message about a work-item, which the code of a check refers to by its number
// (simulator/checks/report.h).
struct CheckMessage {
  std::string kind, text; // a finding's: "shift", "shifts by at least the width of the type"
  std::string cause{};    // a finding's, too
  bool operator==(const CheckMessage&) const = default;
};

struct KernelShape {
  std::string name;
  Language language = Language::OpenCL;
  model::CodePlace place; // its definition, with column 1
  std::vector<Parameter> parameters;
  std::size_t arguments_size = 0;         // bytes
  std::vector<std::size_t> required_size; // reqd_work_group_size; empty: none
  std::vector<model::CodePlace> sites;
  std::vector<Object> objects;
  std::vector<CheckMessage> messages;
  bool by_itself = false;      // CUDA: it is launched by itself (cuda/by_itself.h)
  bool enqueues = false;       // OpenCL: enqueues blocks, or uses events of device queues
  bool copies = false;         // calls async copies of work-groups
  bool has_barriers = false;   // or other stops (simulator/execute/visits.h)
  bool warps = false;          // work-items wait for their warp (templates/simulator/warps.c)
  unsigned warp_size = 32;     // threads of a warp (cuda/warp_size.h)
  bool steps = false;          // also at accesses (cuda/lock_step.h, kernels/lock_step.h)
  bool collectives = false;    // work-items pass values to others of their group (collectives.cl)
  bool grid = false;           // work-items wait for all blocks of the grid
  bool in_turns = false;       // work-items also stop for something else, and go on one by one
  std::size_t frame_size = 0;  // bytes that a work-item keeps across barriers
  bool uninitialized = false;  // tracks definedness (simulator/checks/uninitialized.cpp)
  bool races = false;          // accesses leave marks (templates/simulator/races.c)
  unsigned grain = 4;          // races: bytes for each cell, 1 or 4
  bool pixels = false;         // races: checks images, too
  bool atomics = false;        // races: cells have marks of atomic accesses
  std::set<unsigned> of_block; // races: sites of atomic accesses that are only for their block
  bool asyncs = false;         // races: threads copy asynchronously (CUDA)
  bool syncs = false;          // races: fences and ordered accesses order others (CUDA)
  bool lock_step = false;      // races: looks for accesses that only steps of a warp order
  bool ranges = false;         // races: loops check all their accesses before they begin
  unsigned site_bits = 15;     // races: bits for the site in a mark

  // Races: the parameters whose images the kernel writes; nullopt: it may write any.
  std::optional<std::set<unsigned>> written_images;

  // Whether the object is on-chip memory that a work-group shares.
  bool is_local(const Object& object) const {
    return object.kind == Object::Kind::LocalVariable ||
           (object.kind == Object::Kind::Argument &&
            parameters[object.parameter].kind == Parameter::Kind::Local);
  }
};

// Returns the names of a module's kernels, in order.
std::vector<std::string> kernel_names(const llvm::Module& module);

} // namespace gputest::ir

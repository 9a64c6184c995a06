// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a launch and its block of arguments.
#pragma once

#include "simulator/execute/launch.h"
#include "simulator/memory/arena.h"
#include "simulator/natives/device_queue.h"

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

namespace gputest::simulator {

// Throws InputError if sizes or arguments do not fit the kernel.
void check_request(const ir::KernelShape& shape, const LaunchRequest& request);

// Sets program-scope variables to their initial values. `objects`: of the launch, by the shape's
// numbers.
void place_initial_values(const ir::KernelShape& shape,
                          std::span<const gputest_context::gputest_object> objects);

class LaunchMemory {
public:
  // `descriptor`: that of the memory file. `groups`: the number of resident groups, each with its
  // own __local memory. Throws SimulatorFailure.
  LaunchMemory(const ir::KernelShape& shape, const LaunchRequest& request, int descriptor,
               std::size_t groups = 1);

  // The memory of a block that the kernel of `family` has enqueued. It shares the addresses of the
  // family, and ends before the next such memory begins. `shared`: objects of the family, which
  // are arguments of `shape` behind the block's own.
  LaunchMemory(const ir::KernelShape& shape, const EnqueuedBlock& block,
               std::span<const std::size_t> shared, LaunchMemory& family);
  ~LaunchMemory();
  LaunchMemory(const LaunchMemory&) = delete;
  LaunchMemory& operator=(const LaunchMemory&) = delete;

  // The objects that the launch places, by the shape's numbers.
  std::vector<gputest_context::gputest_object>& objects(std::size_t group = 0) {
    return groups_[group].objects;
  }
  // Fills __local memory of all resident groups that the launch places, for the begin of a group.
  void fill_local(const ir::KernelShape& shape, std::uint8_t byte);

  // Set program-scope variables to their last or initial values, and keep their values. Variables
  // of the family have theirs.
  void place_variables(const ir::KernelShape& shape, const ProgramVariables& variables);
  void keep_variables(const ir::KernelShape& shape, ProgramVariables& variables);

  void* arguments(std::size_t group = 0) { return groups_[group].block.data(); }
  std::span<const std::byte> bytes_of_arguments(const ir::KernelShape& shape) const {
    return std::as_bytes(std::span(groups_.front().block)).first(shape.arguments_size);
  }

private:
  std::unique_ptr<Arena> own_; // not of a block

public:
  Arena& arena;
  Region nowhere;              // replaces memory out of bounds
  std::vector<Region> buffers; // by argument; empty for other kinds

private:
  struct alignas(128) Block {
    std::byte bytes[128];
  };
  struct Group {
    std::vector<Block> block;
    std::vector<gputest_context::gputest_object> objects;
  };

  using PlacedObject = gputest_context::gputest_object;

  void set(const ir::Parameter& parameter, const ArgumentData& argument, int descriptor);
  // Notes of images whether the launch may write their memory.
  void note_read_images(const ir::KernelShape& shape);

  std::vector<Group> groups_;
  std::list<Image> images_;                       // kernels have pointers to these
  std::map<std::string, PlacedObject> variables_; // of the family
  std::set<std::string> placed_;                  // those that this launch has placed
  std::optional<Arena::Mark> before_;             // of a block: what the family had
};

} // namespace gputest::simulator

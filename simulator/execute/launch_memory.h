// The memory of a launch, and the blocks of arguments that point to it.
#pragma once

#include "simulator/execute/arena.h"
#include "simulator/execute/launch.h"

#include <list>

namespace gputest::simulator {

// Throws InputError where sizes or arguments are not the kernel's.
void check_request(const KernelShape& shape, const LaunchRequest& request);

class LaunchMemory {
public:
  // `descriptor`: of the memory file. `groups`: that are there at the same time, each with __local
  // memory of its own. Throws SimulatorFailure.
  LaunchMemory(const KernelShape& shape, const LaunchRequest& request, int descriptor,
               std::size_t groups = 1);

  // Those that the launch places, as the shape numbers them.
  std::vector<gputest_context::gputest_object>& objects(std::size_t group = 0) {
    return groups_[group].objects;
  }
  // Makes __local memory that the launch places what it is when a group begins.
  void fill_local(const KernelShape& shape, std::uint8_t byte);

  // Variables of the program have the values that they had last, or begin with.
  void place_variables(const KernelShape& shape, const ProgramVariables& variables);
  void keep_variables(const KernelShape& shape, ProgramVariables& variables);

  void* arguments(std::size_t group = 0) { return groups_[group].block.data(); }

  Arena arena;
  Region nowhere;              // what accesses out of bounds use instead
  std::vector<Region> buffers; // by argument; of others empty

private:
  struct alignas(128) Block {
    std::byte bytes[128];
  };
  struct Group {
    std::vector<Block> block;
    std::vector<gputest_context::gputest_object> objects;
  };

  void set(const Parameter& parameter, const ArgumentData& argument, int descriptor);

  std::vector<Group> groups_;
  std::list<Image> images_; // kernels have pointers to them
};

} // namespace gputest::simulator

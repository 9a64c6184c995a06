#include "simulator/cuda/grid.h"

#include "simulator/execute/frames.h"
#include "simulator/execute/ndrange.h"

#include <list>
#include <optional>

namespace gputest::simulator::cuda {
namespace {

// What a block has for itself.
struct Block {
  Block(const KernelShape& shape, const gputest_context& launch, std::size_t place, Objects own)
      : number(place), objects(std::move(own)), context(launch),
        frames(shape, items_of_group(launch)) {
    frames.describe(context);
    context.objects = objects.data();
    set_group(context, number);
  }

  // What checks keep in the context of the launch stays.
  void enter(gputest_context& launch) const {
    for (unsigned i = 0; i < 3; ++i) {
      launch.group_id[i] = context.group_id[i];
      launch.local_size[i] = context.local_size[i];
    }
    launch.frames = context.frames;
    launch.statuses = context.statuses;
    launch.slots = context.slots;
    launch.objects = context.objects;
  }

  std::size_t number;
  Objects objects;
  gputest_context context;
  Frames frames;
};

} // namespace

void run_together(const KernelShape& shape, gputest_context& context, Monitor& monitor,
                  const std::vector<std::uint32_t>& order,
                  const std::function<Objects()>& objects_of_block,
                  const std::function<void()>& run) {
  std::list<Block> blocks;
  const std::size_t groups = groups_of(context);
  std::optional<std::size_t> first_left;
  set_group(context, 0); // all are of one size
  for (std::size_t group = 0; group < groups; ++group)
    blocks.emplace_back(shape, context, order.empty() ? group : order[group], objects_of_block());
  for (bool begun = false; !blocks.empty(); begun = true) {
    if (begun && blocks.size() < groups) {
      blocks.front().enter(context);
      monitor.grid_left(groups - blocks.size(), *first_left);
    }
    if (begun)
      monitor.pass_grid();
    for (auto block = blocks.begin(); block != blocks.end();) {
      block->enter(context);
      if (begun)
        monitor.continue_group();
      else
        monitor.begin_group();
      context.grid_stop = begun;
      run();
      if (context.grid_stop) {
        ++block;
        continue;
      }
      if (!first_left)
        first_left = block->number;
      block = blocks.erase(block);
    }
  }
}

} // namespace gputest::simulator::cuda

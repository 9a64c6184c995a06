// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/memory/ndrange.h"

#include <algorithm>

namespace gputest::simulator {

void set_group(gputest_context& context, std::size_t group) {
  context.group_id[0] = group % context.num_groups[0];
  context.group_id[1] = group / context.num_groups[0] % context.num_groups[1];
  context.group_id[2] = group / context.num_groups[0] / context.num_groups[1];
  for (unsigned i = 0; i < 3; ++i)
    context.local_size[i] =
        std::min(context.enqueued_local_size[i],
                 context.global_size[i] - context.group_id[i] * context.enqueued_local_size[i]);
}

std::size_t groups_of(const gputest_context& context) {
  return context.num_groups[0] * context.num_groups[1] * context.num_groups[2];
}

std::size_t items_of_group(const gputest_context& context) {
  return context.local_size[0] * context.local_size[1] * context.local_size[2];
}

WorkItem work_item(const gputest_context& context, std::size_t group, std::size_t item) {
  gputest_context of_group = context;
  set_group(of_group, group);
  of_group.item = item;
  return running_item(of_group);
}

WorkItem running_item(const gputest_context& context) {
  const std::uint64_t width = context.local_size[0], height = context.local_size[1];
  return {.group = {context.group_id[0], context.group_id[1], context.group_id[2]},
          .local = {context.item % width, context.item / width % height,
                    context.item / (width * height)}};
}

} // namespace gputest::simulator

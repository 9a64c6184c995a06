// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/service/requests.h"

namespace gputest::simulator {
namespace {

BufferAccess access_of(wire::Access access) {
  if (access == wire::Access::ReadOnly)
    return BufferAccess::ReadOnly;
  return access == wire::Access::WriteOnly ? BufferAccess::WriteOnly : BufferAccess::ReadWrite;
}

ArgumentData argument_of(const wire::Argument& given) {
  ArgumentData argument{.kind = given.kind,
                        .name = given.name,
                        .offset = given.offset,
                        .size = given.size,
                        .null = given.null,
                        .output = given.output,
                        .access = access_of(given.access),
                        .keeps_packets = given.keeps_packets,
                        .sampler = 0,
                        .image = {},
                        .unwritten = given.unwritten};
  if (given.kind == wire::Kind::Image)
    argument.image = {.pixels = nullptr,
                      .type = given.image.type,
                      .width = given.image.width,
                      .height = given.image.height,
                      .depth = given.image.depth,
                      .channel_order = given.image.channel_order,
                      .channel_type = given.image.channel_type};
  if (given.kind == wire::Kind::Sampler)
    argument.sampler =
        sampler_bits(given.sampler.normalized, given.sampler.addressing, given.sampler.filter);
  return argument;
}

} // namespace

LaunchRequest launch_request(const wire::Launch& launch) {
  LaunchRequest request{.sizes = launch.sizes,
                        .arguments = {},
                        .order = {launch.order.groups, launch.order.items},
                        .shared_bytes = launch.shared_bytes,
                        .limit = launch.limit,
                        .trial = launch.trial,
                        .accesses = launch.accesses};
  for (const wire::Argument& argument : launch.arguments)
    request.arguments.push_back(argument_of(argument));
  return request;
}

} // namespace gputest::simulator

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/launch.h"

#include "ir/error.h"
#include "simulator/execute/enqueued.h"
#include "simulator/execute/kernel_run.h"
#include "simulator/execute/launch_memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace gputest::simulator {

gputest_context context_of(const LaunchRequest& request) {
  const model::Sizes& sizes = request.sizes;
  gputest_context context{};
  std::ranges::copy(sizes.global, context.global_size);
  std::ranges::copy(sizes.local, context.enqueued_local_size);
  std::ranges::copy(sizes.groups(), context.num_groups);
  std::ranges::copy(sizes.offset, context.global_offset);
  context.work_dim = sizes.dimensions;
  context.local_fill = request.local_fill;
  return context;
}

std::size_t place_arguments(const std::vector<GivenArgument>& given, const ir::KernelShape& shape,
                            LaunchRequest& request) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const GivenArgument& from = given[i];
    ArgumentData to;
    to.kind = from.kind;
    to.name = i < shape.parameters.size() ? shape.parameters[i].name : "";
    to.size = from.kind == ir::Parameter::Kind::Local ? from.local_bytes : from.size();
    to.placed = from.placed.data();
    to.offset = shared_offset(end, from.bytes.size());
    to.null = from.null;
    to.sampler = from.sampler;
    to.image = from.image;
    end = shared_end(to.offset, from.bytes.size());
    request.arguments.push_back(std::move(to));
  }
  return end + kPageBytes;
}

bool is_endless(const LaunchResult& result) {
  return result.fatal && std::ranges::any_of(result.findings, [](const Finding& finding) {
           return finding.kind == "endless";
         });
}

LaunchResult launch(const LoadedCode& code, const ir::KernelShape& shape,
                    const LaunchRequest& request, int memory_file, ProgramVariables& variables,
                    const KnownAccesses& accesses, const BlockKernels& blocks) {
  check_request(shape, request);
  if (shape.enqueues && !blocks)
    throw ir::InputError(fmt::format(
        "kernel '{}' enqueues blocks, and this analysis runs one kernel at a time", shape.name));
  LaunchMemory memory(shape, request, memory_file);
  memory.place_variables(shape, variables);
  InCommon in_common{.queue = {}, .pipes = Pipes(shape, memory.objects())};
  for (std::size_t i = 0; i < shape.objects.size(); ++i)
    if (const ir::Object& object = shape.objects[i];
        object.kind == ir::Object::Kind::Argument &&
        request.arguments[object.parameter].keeps_packets)
      in_common.pipes.keep(memory.objects()[i]);
  in_common.queue.enter(std::nullopt, shape.sites);
  LaunchResult result = run_kernel(code, shape, request, memory, in_common, accesses);
  if (shape.enqueues && !result.fatal)
    run_enqueued(in_common, blocks, {shape, request, memory, variables}, result);
  std::ranges::move(in_common.pipes.findings(!result.fatal), std::back_inserter(result.findings));
  if (!request.trial)
    memory.keep_variables(shape, variables);
  return result;
}

} // namespace gputest::simulator

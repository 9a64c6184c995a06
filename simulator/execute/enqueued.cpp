// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/enqueued.h"

#include "simulator/execute/block_races.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::simulator {
namespace {

// The buffers of the first launch, by their numbers in its shape: blocks may have pointers to them.
std::vector<std::size_t> numbers_of_buffers(const ir::KernelShape& shape) {
  std::vector<std::size_t> buffers;
  for (std::size_t i = 0; i < shape.objects.size(); ++i)
    if (const ir::Object& object = shape.objects[i];
        object.kind == ir::Object::Kind::Argument &&
        shape.parameters[object.parameter].kind == ir::Parameter::Kind::Buffer)
      buffers.push_back(i);
  return buffers;
}

// Returns the shape of a block with these buffers as arguments behind its own.
ir::KernelShape with_buffers(ir::KernelShape shape, const ir::KernelShape& first,
                             const std::vector<std::size_t>& buffers) {
  for (const std::size_t buffer : buffers) {
    ir::Parameter parameter = first.parameters[first.objects[buffer].parameter];
    parameter.size = 0; // it is in no block of arguments
    shape.objects.push_back(
        {.name = parameter.name, .parameter = static_cast<unsigned>(shape.parameters.size())});
    shape.parameters.push_back(std::move(parameter));
  }
  return shape;
}

std::vector<Region> regions_of(const FirstLaunch& first, const std::vector<std::size_t>& buffers) {
  std::vector<Region> regions;
  for (const std::size_t buffer : buffers) {
    const gputest_context::gputest_object& object = first.memory.objects()[buffer];
    regions.push_back({.name = first.shape.objects[buffer].name,
                       .begin = reinterpret_cast<std::byte*>(object.begin),
                       .size = static_cast<std::size_t>(object.size)});
  }
  return regions;
}

// Blocks have other sizes: a list does not fit them.
model::Order for_other_sizes(const model::Order& order, model::Order::Kind instead) {
  return order.kind == model::Order::Kind::Listed ? model::Order{.kind = instead} : order;
}

void add_findings(std::vector<Finding>& all, const std::vector<Finding>& more) {
  for (const Finding& finding : more) {
    const auto same = std::ranges::find_if(all, [&](const Finding& known) {
      return known.kind == finding.kind && known.site == finding.site &&
             known.other == finding.other && known.object == finding.object;
    });
    if (same == all.end())
      all.push_back(finding);
    else
      model::absorb(*same, finding);
  }
}

class Blocks {
public:
  Blocks(InCommon& in_common, const BlockKernels& kernels, const FirstLaunch& first,
         LaunchResult& result)
      : in_common_(in_common), queue_(in_common.queue), kernels_(kernels), first_(first),
        result_(result), buffers_(numbers_of_buffers(first.shape)),
        regions_(regions_of(first, buffers_)), races_(queue_, regions_),
        order_{.groups = for_other_sizes(first.request.order.groups, model::Order::Kind::Launched),
               .items = for_other_sizes(first.request.order.items, model::Order::Kind::Reverse)} {}

  void run() {
    while (!result_.fatal) {
      const std::vector<std::size_t> ready = queue_.ready();
      if (ready.empty())
        break;
      run(ready[model::permutation(order_.groups, static_cast<std::uint32_t>(ready.size()))
                    .front()]);
    }
    add_findings(result_.findings, races_.findings());
    if (!result_.fatal && !queue_.waiting().empty())
      tell_waiting(queue_.launch(queue_.waiting().front()).place);
  }

private:
  void run(std::size_t number) {
    const EnqueuedBlock block = queue_.launch(number); // the queue's own moves
    const BlockKernel kernel = kernels_(block.kernel);
    const ir::KernelShape shape = with_buffers(kernel.shape, first_.shape, buffers_);
    LaunchRequest request{.sizes = block.sizes,
                          .arguments = std::vector<ArgumentData>(shape.parameters.size()),
                          .order = order_,
                          .limit = first_.request.limit,
                          .accesses = kernel.code.checks().has("races"),
                          .local_fill = first_.request.local_fill};
    if (kernel.code.checks().has("uninitialized"))
      request.arguments.front().unwritten = block.unwritten;
    if (request.limit > 0)
      request.limit = std::max(request.limit - result_.seconds, 0.001);
    LaunchMemory memory(shape, block, buffers_, first_.memory);
    memory.place_variables(shape, first_.variables);
    queue_.enter(number, shape.sites);
    LaunchResult ran = run_kernel(kernel.code, shape, request, memory, in_common_);
    queue_.has_run(number, ran.seconds);
    if (request.accesses && !ran.fatal)
      races_.add(number, shape, in_common_.accessed);
    if (!first_.request.trial)
      memory.keep_variables(shape, first_.variables);
    add(std::move(ran), block.local_bytes.size() + 1);
  }

  // `own`: the number of the block's own arguments.
  void add(LaunchResult ran, std::size_t own) {
    result_.seconds += ran.seconds;
    result_.output += ran.output;
    result_.fatal = ran.fatal;
    result_.late = ran.late;
    add_findings(result_.findings, ran.findings);
    add_findings(result_.notes, ran.notes);
    for (wire::AccessedBytes accessed : ran.accessed)
      if (first_.request.accesses && accessed.argument >= own) {
        accessed.argument = first_.shape.objects[buffers_[accessed.argument - own]].parameter;
        result_.accessed.push_back(accessed);
      }
  }

  void tell_waiting(const model::CodePlace& place) {
    result_.fatal = true;
    result_.findings.push_back(
        {.kind = "endless",
         .site = place,
         .message = "what is enqueued here waits for an event that nothing completes",
         .fatal = true});
  }

  InCommon& in_common_;
  DeviceQueue& queue_;
  const BlockKernels& kernels_;
  const FirstLaunch& first_;
  LaunchResult& result_;
  std::vector<std::size_t> buffers_;
  std::vector<Region> regions_; // of the buffers
  BlockRaces races_;
  Order order_;
};

} // namespace

void run_enqueued(InCommon& in_common, const BlockKernels& blocks, const FirstLaunch& first,
                  LaunchResult& result) {
  Blocks(in_common, blocks, first, result).run();
}

} // namespace gputest::simulator

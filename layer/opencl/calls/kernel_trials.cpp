// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel: mutants tried on a launch.
#include "layer/opencl/calls/objects.h"
#include "layer/opencl/tried_launch.h"

#include <fmt/format.h>
#include <stdexcept>

namespace gputest::layer {
namespace {

constexpr std::size_t kMostTriedBytes = std::size_t{256} << 20; // of memory, held twice

} // namespace

void Kernel::try_mutants(const LaunchCall& call, Twin& twin, Trials& trials) {
  if (!trials.wants(build_->stem()))
    return;
  try {
    if (const std::string reason = twin.variant->hidden_effect(); !reason.empty())
      throw std::runtime_error(reason);
    const model::KernelInterface* described = build_->described(name_);
    if (!described || described->arguments.size() != argument_count_)
      throw std::runtime_error("its arguments are not known");
    std::vector<GivenArgument> given =
        given_arguments(*described, settings_, build_->known_memory());
    std::size_t bytes = 0;
    for (const GivenArgument& argument : given)
      bytes += argument.has_memory() ? argument.size : 0;
    if (bytes > kMostTriedBytes)
      throw std::runtime_error(
          fmt::format("its buffers and images have more than {} bytes", kMostTriedBytes));
    const Launch asked = twin.simulated
                             ? launch_for_simulator(call.sizes(), *described, twin.most_items)
                             : call.sizes();
    wait_for_turn(call);
    const QueueBeside queue(call.queue);
    LaunchCall own = call.with({}, nullptr);
    own.queue = queue.get();
    LaunchMemory memory(own.queue, std::move(given));
    const RequestedLaunch request{.kernel = name_,
                                  .label = label_,
                                  .number = launches_ + 1,
                                  .launch = call.sizes(),
                                  .most_items = twin.most_items,
                                  .sizes = sizes(twin)};
    const auto make = [&](const LaunchPlan& plan) {
      memory.restore();
      Trials::Made made{.state = plan.state, .memory = {}};
      if (twin.simulated) {
        const std::span<const Launch> launches =
            plan.launches.empty() ? std::span(&asked, 1) : std::span<const Launch>(plan.launches);
        made.launched = build_->simulator()->launch(
                            own, launches, *twin.simulated, memory.arguments(), made.state,
                            {build_->number(), name_, request.number}) == CL_SUCCESS;
      } else {
        made.launched =
            launch_with_state(own, twin.kernel, argument_count_, plan.launches, made.state);
      }
      made.memory = memory.read();
      return made;
    };
    twin.state = nullptr; // the hidden argument becomes another
    trials.look(twin.variant->instrumentation(), request, build_->stem(), make);
  } catch (const std::exception& error) {
    trials.give_up(build_->stem(), label_, error.what());
  }
}

} // namespace gputest::layer

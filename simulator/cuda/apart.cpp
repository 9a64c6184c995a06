// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/apart.h"

#include "process/descriptor.h"

namespace gputest::simulator::cuda {
namespace {

std::string answer(const std::function<Launched()>& run, const Device& device) {
  const std::uint64_t allocated = device.kernel_allocations();
  Launched launched;
  try {
    launched = run();
  } catch (const std::exception& error) {
    launched.error = kLaunchFailure;
    launched.message = error.what();
  }
  Writer reply;
  reply.number(launched.error)
      .text(launched.message)
      .number(device.kernel_allocations() != allocated)
      .number(!launched.findings.empty());
  if (!launched.findings.empty()) {
    const model::CodePlace& site = launched.findings.back().site;
    reply.text(site.file).number(site.line).number(site.column);
  }
  return reply.message();
}

} // namespace

LaunchedApart run_apart(const std::function<Launched()>& run, const Device& device) {
  process::Ends ends = process::pipe_to_us();
  process::Child copy = process::Child::fork([&] {
    const std::string text = answer(run, device);
    process::write_all(ends.theirs.number(), text.data(), text.size());
  });
  ends.theirs.close();
  const std::string text = process::read_all(ends.ours.number());
  const process::Ended ended = copy.wait();
  LaunchedApart launched;
  if (!ended.succeeded()) {
    launched.error = kLaunchFailure;
    launched.ended = ended;
    launched.message = "the simulator has ended: " + ended.text();
    return launched;
  }
  Reader reply(text);
  launched.error = reply.number();
  launched.message = reply.text();
  launched.allocates = reply.number() != 0;
  if (reply.number() != 0) {
    model::CodePlace& place = launched.place.emplace();
    place.file = reply.text();
    place.line = static_cast<unsigned>(reply.number());
    place.column = static_cast<unsigned>(reply.number());
  }
  return launched;
}

} // namespace gputest::simulator::cuda

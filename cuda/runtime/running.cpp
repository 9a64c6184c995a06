// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in the simulator. A launch ends, or waits for the host or for other launches.
#include "cuda/records/text.h"
#include "cuda/runtime/order/order.h"
#include "cuda/runtime/state.h"
#include "frontend/cuda/toolkit.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

namespace gputest::cuda {
namespace {

using simulator::cuda::CudaError;
using simulator::cuda::Reader;
using simulator::cuda::Request;
using simulator::cuda::Writer;

constexpr std::size_t kPart = 4096; // of registered memory

// Each byte that one side has changed since both were `seen` becomes the other side's.
void give_changes(std::byte* to, const std::byte* from, std::byte* seen, std::size_t size) {
  for (std::size_t at = 0; at < size; at += kPart) {
    const std::size_t end = std::min(size, at + kPart);
    if (std::memcmp(from + at, seen + at, end - at) == 0)
      continue;
    for (std::size_t i = at; i < end; ++i)
      if (from[i] != seen[i])
        to[i] = seen[i] = from[i];
  }
}

// Without checks: what a GPU passes over in silence, unless it has ended the launch.
bool is_always_told(const std::string& kind, const std::string& text, const std::string& message) {
  return (kind == "out_of_bounds" || kind == "divergent_warp") &&
         message.find(text) == std::string::npos;
}

// What RACES finds in a launch.
bool is_race(const std::string& kind) {
  return kind == "race" || kind == "race_same_value" || kind == "lock_step";
}

} // namespace

// Copies registered memory, which host and kernels have at different addresses. While a launch
// waits, both sides may change it.
void State::copy_host_ranges(bool to_device) {
  for (HostRange& range : host_ranges) {
    std::byte* const device = heap.view(reinterpret_cast<const void*>(range.device));
    if (!range.seen.empty())
      give_changes(to_device ? device : range.host, to_device ? range.host : device,
                   range.seen.data(), range.size);
    else if (to_device)
      std::memcpy(device, range.host, range.size);
    else
      std::memcpy(range.host, device, range.size);
  }
}

void State::follow_host_ranges(bool follow) {
  for (HostRange& range : host_ranges)
    if (!follow)
      range.seen.clear();
    else if (range.seen.empty())
      range.seen.assign(range.host, range.host + range.size);
}

// Replaces host pointers to registered memory by the device's, because with unified addresses a GPU
// accepts them, too.
std::string State::with_device_pointers(const KernelInfo& kernel, std::string arguments) const {
  for (std::size_t i = 0; i < kernel.sizes.size() && !host_ranges.empty(); ++i) {
    const void* pointer = nullptr;
    if (kernel.sizes[i] != sizeof pointer)
      continue;
    std::memcpy(&pointer, arguments.data() + kernel.offsets[i], sizeof pointer);
    if (const HostRange* const range = host_range_of(pointer)) {
      const std::uint64_t address = range->device_address(pointer);
      std::memcpy(arguments.data() + kernel.offsets[i], &address, sizeof address);
    }
  }
  return arguments;
}

cudaError_t State::launch(KernelInfo& kernel, const LaunchShape& shape,
                          const std::string& arguments) {
  if (is_broken())
    return sticky_;
  if (pending_ != cudaSuccess) // the device has failed
    return cudaSuccess;
  if (noted_ && !std::exchange(kernel.is_noted, true))
    noted_(kernel);
  copy_host_ranges(true);
  Writer request;
  request.put(Request::Launch)
      .put(simulator::cuda::KernelLaunch{.module = kernel.module,
                                         .kernel = kernel.name,
                                         .grid = shape.grid,
                                         .block = shape.block,
                                         .shared_bytes = shape.shared_bytes,
                                         .cooperative = shape.cooperative,
                                         .cluster = shape.cluster,
                                         .arguments = with_device_pointers(kernel, arguments),
                                         .checks = asked_checks_,
                                         .limit = limit_,
                                         .orders = orders_,
                                         .may_wait = may_wait,
                                         .accesses = order_ ? order_->wanted()
                                                            : simulator::cuda::AccessesWanted::None,
                                         .changes = std::exchange(changes_, {})});
  return take_answer(ask("", request), std::nullopt);
}

// `waiting`: the launch, if it has waited before.
cudaError_t State::take_answer(const std::optional<std::string>& answer,
                               const std::optional<WaitingLaunch>& waiting) {
  if (!answer) {
    measured.write(launches_); // what the program did until then
    return broken(cudaErrorLaunchFailure, "");
  }
  Reader reply(*answer);
  if (const auto error = static_cast<cudaError_t>(reply.get<CudaError>())) { // it was refused
    std::fprintf(stderr, "%s\n", in_words(reply.text()).c_str());
    return report(error);
  }
  const auto answered = reply.get<simulator::cuda::AnsweredLaunch>();
  if (const auto* const stalled = std::get_if<simulator::cuda::StalledLaunch>(&answered.launch)) {
    copy_host_ranges(false);
    if (!waiting)
      ++waiting_launches_;
    follow_host_ranges(true);
    waiting_ = {.id = stalled->number,
                .waits_for = stalled->waits_for,
                .since = waiting ? waiting->since : std::chrono::steady_clock::now()};
    return cudaSuccess;
  }
  measured.write(++launches_);
  const auto& ended = std::get<simulator::cuda::EndedLaunch>(answered.launch);
  const auto error = static_cast<cudaError_t>(ended.error);
  output_ += ended.output;
  for (const simulator::cuda::ToldFinding& finding : ended.findings) {
    CodeLine place = code_line(finding.place);
    std::string text = finding.message;
    if ((checks_.empty() && !is_always_told(finding.kind, text, ended.message)) ||
        (asked_checks_ != checks_ && is_race(finding.kind)))
      continue;
    if (frontend::cuda::is_of_library(place.file))
      if (std::optional<CodeLine> call = line_of_call()) {
        text = "in the algorithm that is called here, at " + place.file + ":" +
               std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + text;
        place = *call;
      }
    tell(finding.kind, place.file, place.line, place.column, text, finding.count,
         finding.cause.empty() ? "" : ", \"cause\": " + quoted(finding.cause));
  }
  if (order_) {
    std::vector<CodeLine> places;
    std::ranges::transform(ended.places, std::back_inserter(places), code_line);
    order_->launched(places, ended.ranges, ended.signals);
  }
  if (const auto& ordered = answered.ordered; !ordered.scheduled.empty())
    write_down("{\"kernel\": " + quoted(ordered.kernel) + ", \"file\": " + quoted(ordered.file) +
               ", \"scheduled\": " + ordered.scheduled + "}\n");
  copy_host_ranges(false);
  if (waiting && --waiting_launches_ == 0)
    follow_host_ranges(false);
  if (error != cudaSuccess)
    broken(error, checks_.empty() ? ended.message : ""); // with checks it is a finding
  return cudaSuccess;
}

std::optional<WaitingLaunch> State::take_waiting() {
  return std::exchange(waiting_, std::nullopt);
}

bool State::is_over(std::chrono::steady_clock::time_point since) const {
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - since;
  return limit_ > 0 && waited.count() > static_cast<double>(limit_);
}

void State::end_waiting() {
  broken(cudaErrorLaunchTimeout, "gputest-cuda: error: a stream waits for a value in memory that "
                                 "nobody writes");
}

std::byte* State::place_of_host(const void* pointer) const {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  for (const HostRange& range : host_ranges)
    if (address >= range.device && address - range.device < range.size)
      return range.host + (address - range.device);
  return heap.view(pointer);
}

simulator::cuda::Writer State::continued(Request request, std::uint64_t launch) {
  return Writer().put(request).put(
      simulator::cuda::ContinuedLaunch{.number = launch, .changes = std::exchange(changes_, {})});
}

bool State::go_on(WaitingLaunch& launch) {
  if (is_over(launch.since)) {
    give_up(launch);
    return true;
  }
  copy_host_ranges(true);
  take_answer(ask("", continued(Request::GoOn, launch.id)), launch);
  const std::optional<WaitingLaunch> waits = take_waiting();
  if (waits)
    launch = *waits;
  return !waits;
}

void State::give_up(const WaitingLaunch& launch) {
  take_answer(ask("", continued(Request::GiveUp, launch.id)), launch);
}

} // namespace gputest::cuda

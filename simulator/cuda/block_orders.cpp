// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/block_orders.h"

#include "ir/error.h"
#include "model/clock.h"
#include "model/whole_number.h"
#include "process/ended.h"
#include "simulator/cuda/apart.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <sstream>

namespace gputest::simulator::cuda {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 30; // of allocations that are saved
constexpr std::size_t kShown = 4;                            // differing elements

// The content of allocations, without pinned memory, which other threads of the program may access.
class Memory {
public:
  explicit Memory(const Device& device) {
    for (const auto& [address, region] : device.allocations())
      if (!device.is_of_host(address))
        parts_.emplace_back(region,
                            std::vector<std::byte>(region.begin, region.begin + region.size));
  }
  // Skips allocations that a kernel has freed meanwhile.
  void restore(const Device& device) const {
    for (const auto& [region, bytes] : parts_)
      if (device.allocations().contains(reinterpret_cast<std::uint64_t>(region.begin)))
        std::memcpy(region.begin, bytes.data(), bytes.size());
  }
  const std::vector<std::pair<Region, std::vector<std::byte>>>& parts() const { return parts_; }

private:
  std::vector<std::pair<Region, std::vector<std::byte>>> parts_;
};

std::uint64_t bytes_of(const Device& device) {
  std::uint64_t bytes = 0;
  for (const auto& [address, region] : device.allocations())
    bytes += region.size;
  return bytes;
}

// Memory has no types here. A word counts as a float if its magnitude is ordinary. As an integer,
// such a word is 0 or at least 729,808,896.
bool is_ordinary(std::uint32_t word) {
  const float value = std::fabs(std::bit_cast<float>(word));
  return value == 0 || (value > 0x1p-40F && value < 0x1p40F);
}

bool are_close(std::uint32_t a, std::uint32_t b, double tolerance) {
  if (!is_ordinary(a) || !is_ordinary(b))
    return false;
  const double first = std::bit_cast<float>(a), second = std::bit_cast<float>(b);
  return std::fabs(first - second) <= tolerance * std::max(std::fabs(first), std::fabs(second));
}

std::string text_of(std::uint32_t word) {
  if (word != 0 && is_ordinary(word))
    return fmt::format("{}", std::bit_cast<float>(word));
  return fmt::format("{}", std::bit_cast<std::int32_t>(word));
}

struct Difference {
  std::size_t differing = 0, close = 0;
  std::vector<model::DifferingElement> elements;
};

// Compares words of 4 bytes; the last one may be shorter.
Difference compare(const std::byte* now, const std::vector<std::byte>& then, double tolerance) {
  Difference result;
  for (std::size_t at = 0; at < then.size(); at += 4) {
    const std::size_t size = std::min<std::size_t>(4, then.size() - at);
    if (std::memcmp(now + at, then.data() + at, size) == 0)
      continue;
    std::uint32_t launched = 0, scheduled = 0;
    std::memcpy(&launched, then.data() + at, size);
    std::memcpy(&scheduled, now + at, size);
    ++result.differing;
    result.close += are_close(launched, scheduled, tolerance);
    if (result.elements.size() < kShown)
      result.elements.push_back({.index = at / 4,
                                 .path = "",
                                 .launched = text_of(launched),
                                 .scheduled = text_of(scheduled)});
  }
  return result;
}

model::ScheduleFinding finding_of(const LaunchedApart& launched, const model::Order& order) {
  model::ScheduleFinding finding;
  finding.order = fmt::format("blocks {}", model::text_of(order));
  if (launched.error == kLaunchTimeout) {
    finding.kind = model::FindingKind::Waits;
    finding.message =
        "the kernel does not end in this order: a block waits for one that has not run";
  } else {
    finding.kind = launched.error == kIllegalAddress ? model::FindingKind::OutOfBounds
                                                     : model::FindingKind::Crash;
    finding.message = fmt::format("the kernel fails in this order: {}", launched.message);
  }
  if (launched.place) {
    finding.place_file = launched.place->file;
    finding.line = launched.place->line;
    finding.column = launched.place->column;
  }
  return finding;
}

} // namespace

OrderSettings order_settings(const std::string& text) {
  constexpr std::uint64_t kMostOrders = 1'000'000;
  constexpr std::string_view kOnly = "only-";
  OrderSettings settings;
  std::istringstream words(text);
  std::string number, first, strategy, tolerance, rest;
  words >> number >> first >> strategy >> tolerance;
  settings.is_only = strategy == "only-reverse" || strategy == "only-permute";
  if (settings.is_only)
    strategy.erase(0, kOnly.size());
  const auto count = model::whole_number(number, {1, kMostOrders});
  auto seed = model::whole_number(first);
  const auto [end, error] =
      std::from_chars(tolerance.data(), tolerance.data() + tolerance.size(), settings.tolerance);
  if (!count || !seed || (strategy != "all" && strategy != "reverse" && strategy != "permute") ||
      error != std::errc() || end != tolerance.data() + tolerance.size() ||
      !std::isfinite(settings.tolerance) || settings.tolerance < 0 || words >> rest)
    throw ir::InputError(
        fmt::format("GPUTEST_CUDA_SCHEDULES: '{}' is not '<number> <seed> <all, reverse, permute, "
                    "only-reverse or only-permute> <tolerance>', with a number from 1 to {} and a "
                    "tolerance of at least 0",
                    text, kMostOrders));
  if (strategy != "permute")
    settings.orders.push_back({.kind = model::Order::Kind::Reverse, .seed = 0, .listed = {}});
  while (strategy != "reverse" && settings.orders.size() < *count)
    settings.orders.push_back(
        {.kind = model::Order::Kind::Random, .seed = (*seed)++, .listed = {}});
  return settings;
}

BlockOrders::Run BlockOrders::launch(const std::string& kernel, const Launch& what, Device& device,
                                     const std::function<Launched(const Launch&)>& run,
                                     const std::function<std::string(const Region&)>& name) {
  const std::uint64_t blocks = what.grid[0] * what.grid[1] * what.grid[2];
  if (settings_.is_only) {
    Launch ordered = what;
    if (blocks <= UINT32_MAX)
      ordered.order =
          model::permutation(settings_.orders.front(), static_cast<std::uint32_t>(blocks));
    return {run(ordered), std::nullopt};
  }
  Tried& tried = tried_[kernel];
  if (!std::has_single_bit(++tried.launches) || tried.found)
    return {run(what), std::nullopt};
  const auto start = std::chrono::steady_clock::now();
  Run result;
  model::ScheduledCase scheduled;
  const auto not_tried = [&](std::string why) {
    scheduled.verdict = model::ScheduleVerdict::Error;
    scheduled.message = std::move(why);
    result.scheduled = std::move(scheduled);
    return result;
  };
  if (bytes_of(device) > kMostBytes) {
    result.launched = run(what);
    return not_tried("more than 2 GiB of memory are allocated");
  }
  const Memory before(device);
  const std::uint64_t allocated = device.kernel_allocations();
  result.launched = run(what);
  scheduled.runs = 1;
  if (result.launched.running)
    return not_tried("the kernel waits for the host or for another launch");
  if (result.launched.error != kNoError)
    return result; // the program gets the error
  if (device.kernel_allocations() != allocated)
    return not_tried("the kernel allocates memory by itself");
  if (blocks > UINT32_MAX)
    return not_tried(fmt::format("{} blocks are too many", blocks));
  const Memory after(device);
  Launch other = what;
  other.may_wait = false;
  other.limit = 1 + 20 * result.launched.seconds;
  if (what.limit > 0)
    other.limit = std::min(other.limit, what.limit);
  for (const model::Order& order : settings_.orders) {
    other.order = model::permutation(order, static_cast<std::uint32_t>(blocks));
    if (std::ranges::is_sorted(other.order))
      continue;
    LaunchedApart again;
    process::Tries tries;
    do {
      before.restore(device);
      again = run_apart([&] { return run(other); }, device);
    } while (tries.again(again.ended, "the process that tries an order"));
    if (!tries.given_up().empty()) {
      after.restore(device);
      return not_tried(tries.given_up());
    }
    ++scheduled.schedules;
    ++scheduled.runs;
    if (again.error != kNoError) {
      scheduled.findings.push_back(finding_of(again, order));
    } else if (again.allocates) {
      model::ScheduleFinding& finding = scheduled.findings.emplace_back();
      finding.message = "the kernel allocates or frees memory in this order alone";
      finding.order = fmt::format("blocks {}", model::text_of(order));
    }
    for (const auto& [region, bytes] : after.parts()) {
      if (!scheduled.findings.empty())
        break;
      const Difference difference = compare(region.begin, bytes, settings_.tolerance);
      if (difference.differing == difference.close) {
        if (difference.differing > 0)
          scheduled.verdict = model::ScheduleVerdict::WithinTolerance;
        continue;
      }
      model::ScheduleFinding& finding = scheduled.findings.emplace_back();
      finding.message = "blocks depend on each other's order, though nothing overlaps";
      finding.buffer = name(region);
      finding.differing = difference.differing;
      finding.compared = (bytes.size() + 3) / 4;
      finding.elements = difference.elements;
      finding.order = fmt::format("blocks {}", model::text_of(order));
    }
    if (!scheduled.findings.empty())
      break;
  }
  after.restore(device);
  tried.found = !scheduled.findings.empty();
  if (tried.found)
    scheduled.verdict = model::ScheduleVerdict::OrderDependent;
  scheduled.seconds = model::seconds_since(start);
  result.scheduled = std::move(scheduled);
  return result;
}

} // namespace gputest::simulator::cuda

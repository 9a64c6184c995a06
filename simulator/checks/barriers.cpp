// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/barriers.h"

#include "ir/words.h"
#include "simulator/memory/ndrange.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>

namespace gputest::simulator {
namespace {

// The site in a barrier's status (simulator/execute/coroutine.cpp).
unsigned site_of_status(std::uint32_t status) {
  return (status & 0x0fffffff) - 1;
}
constexpr unsigned kOfGrid = ~0U; // distinguishes it from a block's barrier at the same place

unsigned flags_of_status(std::uint32_t status) {
  return status >> 28;
}

// Flags mean what they mean in OpenCL C; no barrier of CUDA has any.
std::string text_of_flags(unsigned flags) {
  constexpr const char* kTexts[] = {"no flags", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                    "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};
  return kTexts[flags & 3];
}

} // namespace

Barriers::Passed Barriers::turn() {
  const std::uint64_t items =
      context_.local_size[0] * context_.local_size[1] * context_.local_size[2];
  const std::span statuses(context_.statuses, items);
  std::uint32_t differs = 0; // hardly ever
  for (std::uint64_t i = 1; i < items; ++i)
    differs |= context_.statuses[i] ^ context_.statuses[0];
  if (differs == 0)
    return {site_of_status(statuses.front()), flags_of_status(statuses.front())};
  const bool waits = !model::row_of(shape_.language).exits_pass_barriers; // for all of the group
  const auto first = !waits
                         ? std::ranges::find_if(statuses, [](auto status) { return status != 0; })
                         : statuses.begin();
  if (first != statuses.end() && std::ranges::any_of(statuses, [&](std::uint32_t status) {
        return status != *first && (status != 0 || waits);
      }))
    report_divergence();
  unsigned flags = 3, site = 0;
  for (const std::uint32_t status : statuses)
    if (status != 0) {
      flags &= flags_of_status(status);
      site = site_of_status(status);
    }
  if (!waits)
    report_exits(site, statuses);
  return {site, flags};
}

// GPUs since Volta go on without threads that have left. CUDA's guide does not allow it: "the
// conditional evaluates identically across the entire thread block" ("Synchronization Functions").
void Barriers::report_exits(unsigned site, std::span<const std::uint32_t> statuses) {
  const auto left = std::ranges::find(statuses, 0U);
  if (left == statuses.end() || (!exits_ && !noted_.insert(site).second))
    return;
  Finding note{.kind = "early_exit", .site = shape_.sites.at(site)};
  Finding* const told = exits_ ? findings_.add("early_exit", site, 0) : &note;
  if (!told)
    return;
  context_.item = static_cast<std::uint64_t>(left - statuses.begin());
  const WorkItem first = simulator::running_item(context_);
  told->message = fmt::format(
      "the work-items of group {} go on behind this barrier without {} of {}, which have left the "
      "kernel (first {}); CUDA's guide forbids it, and GPUs since Volta allow it",
      text_of(first.group, dimensions_), std::ranges::count(statuses, 0U), statuses.size(),
      text_of(first.local, dimensions_));
  if (exits_)
    return;
  note.message =
      ir::in_words_of(shape_.language, note.message) + "; the check 'exits' makes this a finding";
  notes_.push_back(std::move(note));
}

// Masks in messages have a digit for each four lanes of a warp.
std::string Barriers::mask_of(std::uint64_t item) const {
  const gputest_slots& slots = *context_.slots;
  std::uint64_t mask = slots.mask[item];
  if (shape_.warp_size > 32)
    mask |= std::uint64_t{slots.upper_mask[item]} << 32;
  return fmt::format("{:#0{}x}", mask, 2 + shape_.warp_size / 4);
}

void Barriers::warp_stuck(std::uint64_t first, std::uint64_t lanes) {
  const std::uint64_t item = first + static_cast<unsigned>(std::countr_zero(lanes));
  Finding* const finding = findings_.add("divergent_warp", context_.slots->site[item], 0);
  if (!finding)
    return;
  context_.item = item;
  if (context_.slots->kind[item] == GPUTEST_WARP_AWAIT) {
    finding->message = fmt::format("{} waits here for others, none of which can go on",
                                   text_of(running_item(context_), dimensions_));
    return;
  }
  if (shape_.language == model::Language::OpenCL) {
    finding->message = fmt::format("{} waits here for the other work-items of its sub-group, and "
                                   "not all of them come here",
                                   text_of(running_item(context_), dimensions_));
    return;
  }
  finding->message = fmt::format(
      "{} waits here for the threads {} of its warp, and not all of them come here with this mask",
      text_of(running_item(context_), dimensions_), mask_of(item));
}

void Barriers::warp_unnamed(std::uint64_t first, std::uint64_t lanes) {
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const std::uint64_t item = first + lane;
  Finding* const finding = findings_.add("divergent_warp", context_.slots->site[item], 0);
  if (!finding)
    return;
  context_.item = item;
  finding->message = fmt::format(
      "{} is thread {} of its warp and comes here with the mask {}, which does not name it",
      text_of(running_item(context_), dimensions_), lane, mask_of(item));
  if (shape_.warp_size > 32 && lane >= 32 && context_.slots->upper_mask[item] == 0)
    finding->message += fmt::format("; warps have {} threads here", shape_.warp_size);
}

void Barriers::warp_absent(std::uint64_t first, std::uint64_t lanes) {
  const std::uint64_t item = first + static_cast<unsigned>(std::countr_zero(lanes));
  Finding* const finding = findings_.add("divergent_warp", context_.slots->site[item], 0);
  if (!finding)
    return;
  context_.item = item;
  finding->message =
      fmt::format("{} takes the value of work-item {} of its sub-group, which does "
                  "not come here with it: the value is undefined",
                  text_of(running_item(context_), dimensions_), context_.slots->value[item]);
}

void Barriers::grid_left(std::uint64_t left, std::uint64_t first) {
  const std::uint64_t items =
      context_.local_size[0] * context_.local_size[1] * context_.local_size[2];
  const std::span statuses(context_.statuses, items);
  const auto waiting = std::ranges::find_if(statuses, [](auto status) { return status != 0; });
  Finding* const finding = findings_.add("divergent_barrier", site_of_status(*waiting), kOfGrid);
  if (!finding)
    return;
  context_.item = static_cast<std::uint64_t>(waiting - statuses.begin());
  const std::uint64_t blocks = groups_of(context_);
  const std::string here = text_of(simulator::running_item(context_).group, dimensions_);
  set_group(context_, first);
  finding->message = fmt::format(
      "sync() of the grid is not reached by all blocks: {} of {} blocks have left the kernel "
      "(first "
      "{}), and the others wait for them here (first {})",
      left, blocks, text_of(simulator::running_item(context_).group, dimensions_), here);
}

void Barriers::report_divergence() {
  const std::uint64_t items =
      context_.local_size[0] * context_.local_size[1] * context_.local_size[2];
  std::map<std::uint32_t, std::vector<std::uint64_t>> waiting; // by status
  for (std::uint64_t i = 0; i < items; ++i)
    waiting[context_.statuses[i]].push_back(i);
  const auto item_named = [&](std::uint64_t index) {
    context_.item = index;
    return text_of(simulator::running_item(context_).local, dimensions_);
  };
  const std::vector<std::uint64_t> left =
      waiting.contains(0) ? waiting[0] : std::vector<std::uint64_t>();
  waiting.erase(0);
  const std::uint32_t first = waiting.begin()->first;
  const unsigned other = waiting.size() > 1 ? site_of_status(std::next(waiting.begin())->first)
                                            : static_cast<unsigned>(shape_.sites.size());
  Finding* const finding = findings_.add("divergent_barrier", site_of_status(first), other);
  if (!finding)
    return;
  const bool flags_differ =
      left.empty() && waiting.size() > 1 && std::ranges::all_of(waiting, [&](const auto& one) {
        return site_of_status(one.first) == site_of_status(first);
      });
  std::string text;
  if (flags_differ) {
    for (const auto& [status, indices] : waiting)
      text += fmt::format("{}{} of {} work-items have {} (first {})", text.empty() ? "" : ", ",
                          indices.size(), items, text_of_flags(flags_of_status(status)),
                          item_named(indices.front()));
    finding->message =
        fmt::format("work-items of group {} reach this barrier with different flags: {}",
                    text_of(simulator::running_item(context_).group, dimensions_), text);
    return;
  }
  for (const auto& [status, indices] : waiting) {
    text += fmt::format(
        "{}{} of {} work-items wait {} (first {})", text.empty() ? "" : ", ", indices.size(), items,
        status == first ? "here" : "at " + place_text(shape_.sites.at(site_of_status(status))),
        item_named(indices.front()));
    if (status != first)
      finding->other = shape_.sites.at(site_of_status(status));
  }
  if (!left.empty())
    text +=
        fmt::format(", {} have left the kernel (first {})", left.size(), item_named(left.front()));
  finding->message =
      fmt::format("barrier is not reached by all work-items of group {}: {}",
                  text_of(simulator::running_item(context_).group, dimensions_), text);
}

const Check& barriers_check() {
  static const Check kCheck{.name = "barriers"};
  return kCheck;
}

const Check& exits_check() {
  static const Check kCheck{.name = "exits"};
  return kCheck;
}

} // namespace gputest::simulator

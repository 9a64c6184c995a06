// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of races: what it makes of asynchronous copies of CUDA's threads (race_asyncs.h).
#include "simulator/checks/races/races.h"
#include "simulator/memory/ndrange.h"

#include <fmt/format.h>

namespace gputest::simulator {

void Races::begin_async(std::byte* to, const std::byte* from, std::uint64_t size, std::uint64_t key,
                        std::uint64_t stage, unsigned site) {
  if (size == 0)
    return;
  asyncs_[group_].begin({.to = to,
                         .from = from,
                         .size = size,
                         .site = site,
                         .item = context_.item,
                         .key = key,
                         .stage = stage});
  enclose_copies();
}

void Races::commit_asyncs() {
  asyncs_[group_].commit(context_.item);
}

// A copy is made at the latest when its thread waits. So its writes count there, after barriers
// that the thread has passed since the copy began.
void Races::wait_for_asyncs(std::uint64_t prior) {
  const auto pages = context_.memory_pages << 12;
  for (const AsyncCopies::One& copy : asyncs_[group_].wait(context_.item, prior)) {
    const std::uint64_t offset = offset_of(reinterpret_cast<std::uint64_t>(copy.to));
    if (offset >= pages + context_.beside_memory)
      continue; // private memory
    const Access mine{.site = copy.site,
                      .local = offset >= pages,
                      .atomic = false,
                      .write = true,
                      .of_copy = false,
                      .mark = context_.now | context_.item << marks_.layout().item_shift() |
                              std::uint64_t{copy.site} << GPUTEST_SITE_SHIFT,
                      .value = nullptr};
    for (std::uint64_t done = 0; done < copy.size; done += shape_.grain)
      leave_mark(marks_.cell_of(copy.to + done) + PlainWrite * MarkLayout::kMark, PlainWrite, mine);
  }
  enclose_copies();
}

void Races::bind_asyncs(std::uint64_t key, std::uint64_t stage) {
  asyncs_[group_].bind(context_.item, key, stage);
}

void Races::complete_asyncs(std::uint64_t key, std::uint64_t stage) {
  asyncs_[group_].complete(key, stage);
  enclose_copies();
}

void Races::report_asyncs(const std::byte* at, std::uint64_t size, const Access& mine) {
  const auto asyncs = asyncs_.find(group_);
  if (asyncs == asyncs_.end())
    return;
  for (const auto& [copy, written] : asyncs->second.in_conflict(at, size, mine.write)) {
    Finding* const finding = add("race", mine.site, copy->site);
    if (!finding)
      continue;
    gputest_context other = context_;
    other.item = copy->item;
    const Region* const region = arena_.near(at);
    finding->message = fmt::format(
        "data race on byte {} of '{}', within a work-group: {} {} here, and the asynchronous copy "
        "that {} begins at {} {} it; {} before",
        region ? at - region->begin : 0, region ? region->name : "?", name_of(mine),
        mine.write ? "writes" : "reads", text_of(running_item(other), dimensions_),
        place_text(finding->other), written ? "writes" : "reads",
        copy->key == 0 ? "that one does not wait for it"
                       : "nobody waits for the barrier or the pipeline that completes it");
  }
}

} // namespace gputest::simulator

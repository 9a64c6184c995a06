// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds references that surely hit or surely miss the nearest cache, for each work-item alone.
#pragma once

#include "memory/model/gpu.h"
#include "memory/model/trace.h"
#include "memory/static/kernel.h"
#include "memory/static/lru.h"
#include "model/launches/sizes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputest::memory {

struct StaticLaunch {
  model::Sizes sizes{};             // with a local size
  std::vector<std::byte> arguments; // the kernel's block of arguments
};

struct StaticReport {
  // patterns[pattern][reference]. Work-items share a pattern if their lines coincide in the same
  // way.
  std::vector<std::vector<Certainty>> patterns;
  // The pattern of each work-item, group by group in the order of linear local ids.
  std::vector<std::uint32_t> items;
  // By reference: whether some work-item uses a line again after a possible wait, and lines of
  // others can evict it.
  std::vector<bool> faces_conflict;
  // By reference: whether its place is unknown before the kernel runs in some work-item, or is one
  // of more than ValueSet::kMostFew places.
  std::vector<bool> unknown;
  // By reference: whether what the kernel reads decides its place, as in a[b[i]].
  std::vector<bool> chosen_by_data;

  Certainty certainty(std::size_t item, std::uint32_t reference) const {
    return patterns[items[item]][reference];
  }
  // Returns the class for all work-items that execute the reference: NotClassified if they differ,
  // NotRun if there are none.
  Certainty of_all(std::uint32_t reference) const;
};

// `trace`: only its references and objects are used. References to on-chip memory are NotRun,
// because they use no cache. Nothing is certain of those to images: they may touch a border alone,
// which has no bytes.
StaticReport classify(const StaticKernel& kernel, const Gpu& gpu, const LaunchTrace& trace,
                      const StaticLaunch& launch);

} // namespace gputest::memory

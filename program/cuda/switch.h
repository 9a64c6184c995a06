// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a mutant of a CUDA program is.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace gputest::program {

// A mutant in a header is one mutant, in however many sources it is. It is equivalent, or a
// duplicate, only if it is so in all of them.
struct Switch {
  struct Place {
    std::filesystem::path folder; // the source's
    unsigned number = 0;
    bool equivalent = false;
    std::string duplicate_of{};
  };
  std::vector<Place> places{};
  bool reached = false;

  std::string active() const {
    std::string text;
    for (const Place& place : places)
      text += fmt::format("{}{}:{}", text.empty() ? "" : " ", place.folder.filename().string(),
                          place.number);
    return text;
  }
  bool is_in_sources_of(const Switch& other) const {
    return std::ranges::equal(places, other.places, {}, &Place::folder, &Place::folder);
  }
};

} // namespace gputest::program

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A page with many sources. Where these are so large that a browser would take long to open them
// all, they are pages of their own, in a folder beside the page.
#pragma once

#include "report/common/html_page.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::report {

struct PartedPage {
  std::string main;
  std::vector<std::string> parts{}; // pages of the folder: 1.html, 2.html and so on; empty: none
};

// Returns the folder of a page's parts: "mutation-files" for "mutation.html".
std::string folder_of_parts(std::string_view page);

// A range of sources: from `first` on, without `past`.
struct SourceRange {
  std::size_t first = 0, past = 0;
};

struct PartedBody {
  // A <section> for each source, in order. Ids in it begin with "f<index>".
  std::vector<std::string> sections{};
  // Returns the body of the page with these sections, and the data that scripts need of these
  // sources.
  std::function<std::string(const std::string& sections, SourceRange sources)> whole;
  // Returns what follows the sections of a part; not set: nothing.
  std::function<std::string(SourceRange sources)> end{};
};

inline constexpr std::size_t kMostOfSections = 4'000'000, kMostOfPart = 500'000; // bytes

// Returns the page, in parts if its sections have more than `most` bytes. `page` has no body yet,
// and its navigation has a line for each source. `file` is the name of the page; empty: one page,
// whatever its size.
PartedPage parted(Page page, const PartedBody& body, const std::string& file,
                  std::size_t most = kMostOfSections, std::size_t most_of_part = kMostOfPart);

} // namespace gputest::report

// The page of many sources. Where these are so large that a browser would take long to open them
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
  std::vector<std::string> parts{}; // those of the folder: 1.html, 2.html and so on; empty: none
};

// The folder of the parts of a page: "mutation-files" of "mutation.html".
std::string folder_of_parts(std::string_view page);

// What the sources from `first` to before `past` have.
struct SourceRange {
  std::size_t first = 0, past = 0;
};

struct PartedBody {
  // <section>s of the sources, in order. What they are called begins with "f<index>".
  std::vector<std::string> sections{};
  // The body of the page, with these sections, and what scripts need of them.
  std::function<std::string(const std::string& sections, SourceRange sources)> whole;
  // What comes after the sections of a part; not set: nothing.
  std::function<std::string(SourceRange sources)> end{};
};

inline constexpr std::size_t kMostOfSections = 4'000'000, kMostOfPart = 500'000; // bytes

// `page`: without a body; its navigation has a line for each source. `file`: the name of the page;
// empty: it is one page, whatever its size.
PartedPage parted(Page page, const PartedBody& body, const std::string& file,
                  std::size_t most = kMostOfSections, std::size_t most_of_part = kMostOfPart);

} // namespace gputest::report

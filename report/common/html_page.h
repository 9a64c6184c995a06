// The frame of every page: head, navigation, and where there are gaps to step through, the
// controls.
#pragma once

#include <string>

namespace gputest::report {

struct Page {
  std::string title; // as it came
  std::string css, script;
  std::string navigation; // <li> elements
  std::string gap;        // what is stepped through, "survivor"; empty: nothing is
  std::string body;
};

// One self-contained HTML 5 page.
std::string page(const Page& page);

} // namespace gputest::report

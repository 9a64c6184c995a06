// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the frame of every page: head, navigation and, if there are gaps to step through, the
// controls.
#pragma once

#include <optional>
#include <string>

namespace gputest::report {

struct Page {
  std::string title; // not escaped
  std::string css;
  std::string script{};
  std::string navigation;           // <li> elements
  std::optional<std::string> gap{}; // what the controls step through, "survivor"
  std::string body;
};

// Returns one self-contained HTML 5 page.
std::string page(const Page& page);

} // namespace gputest::report

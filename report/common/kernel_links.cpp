// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/kernel_links.h"

#include "report/common/text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string_view>

namespace gputest::report {
namespace {

constexpr std::string_view kBrand = "<p class=\"brand\">gputest</p>"; // in templates/page.html
constexpr std::string_view kBetween = ", ";

} // namespace

std::string kernel_id(const std::string& name, const std::string& kernel) {
  std::string id = fmt::format("kernel-{}-{}", name.empty() ? kernel : name, kernel);
  std::ranges::replace_if(
      id, [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '.'; }, '_');
  return id;
}

std::string kernel_ids(const std::string& names, const std::string& kernel) {
  std::string html;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(kBetween, begin), names.size());
    html +=
        fmt::format("<span id=\"{}\"></span>", kernel_id(names.substr(begin, end - begin), kernel));
    begin = end + kBetween.size();
  }
  return html;
}

std::string with_link_back(std::string page, const std::string& index) {
  if (const std::size_t at = page.find(kBrand); at != std::string::npos)
    page.replace(
        at, kBrand.size(),
        fmt::format("<p class=\"brand\"><a href=\"{}\">gputest</a></p>\n<ul class=\"back\">"
                    "<li><a href=\"{}\"><span class=\"name\">← All results</span></a></li>"
                    "</ul>",
                    escape(index), escape(index)));
  return page;
}

} // namespace gputest::report

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/site.h"

#include <fmt/format.h>

namespace gputest::report {

std::string page_of_site(std::string_view page) {
  constexpr std::string_view kSite = GPUTEST_SITE;
  return kSite.empty() ? "" : fmt::format("{}/{}/", kSite, page);
}

std::string address_of_site() {
  return GPUTEST_SITE;
}

std::string version_of_tool() {
  return GPUTEST_VERSION;
}

void add_help(nlohmann::ordered_json& rule, std::string_view page) {
  if (std::string uri = page_of_site(page); !uri.empty())
    rule["helpUri"] = std::move(uri);
}

std::string linked_to_site(const std::string& text, std::string_view page) {
  const std::string uri = page_of_site(page);
  return uri.empty() ? text : fmt::format("<a href=\"{}\">{}</a>", uri, text);
}

} // namespace gputest::report

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links to the pages of the site: what a finding means and how to mend it, what an operator
// changes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gputest::report {

// Returns the address of a page, "finding-race" or "coverage"; "" if the build names no site
// (GPUTEST_SITE in CMakeLists.txt). packaging/site.py makes the pages.
std::string page_of_site(std::string_view page);

// Returns the address of the site, and the version of this build.
std::string address_of_site();
std::string version_of_tool();

// Adds helpUri to a rule of SARIF, where there is a site.
void add_help(nlohmann::ordered_json& rule, std::string_view page);

// Returns HTML: `text`, which is escaped already, as a link to the page.
std::string linked_to_site(const std::string& text, std::string_view page);

} // namespace gputest::report

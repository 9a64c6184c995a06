// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/parted_page.h"

#include "report/common/text.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <numeric>

namespace gputest::report {
namespace {

// Returns the sources of each part: neighbours, until they have `most` bytes.
std::vector<SourceRange> ranges_of(const std::vector<std::string>& sections, std::size_t most) {
  std::vector<SourceRange> ranges;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (ranges.empty() || taken + sections[i].size() > most) {
      ranges.push_back({i, i});
      taken = 0;
    }
    ranges.back().past = i + 1;
    taken += sections[i].size();
  }
  return ranges;
}

// Links to sources become links to the pages that have them.
std::string with_links_to_parts(std::string_view text, const std::vector<SourceRange>& ranges,
                                const std::string& folder) {
  constexpr std::string_view kLink = "href=\"#f";
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t link = std::min(text.find(kLink, at), text.size());
    result += text.substr(at, link - at);
    if (link == text.size())
      break;
    const std::size_t digits = link + kLink.size();
    const std::size_t source =
        std::strtoul(std::string(text.substr(digits, 10)).c_str(), nullptr, 10);
    const auto part =
        std::ranges::find_if(ranges, [&](const SourceRange& range) { return source < range.past; });
    result += fmt::format("href=\"{}/{}.html#f", folder, part - ranges.begin() + 1);
    at = digits;
  }
  return result;
}

// Addresses of sources that were those of one page, "mutation.html#f3-L7", lead on to the part that
// has the source. The navigation has a link to each source.
constexpr std::string_view kOpenPart = R"(<script>
const openPart = () => {
  const source = /^#f\d+/.exec(location.hash);
  const link = source && [...document.links].find((one) => one.hash === source[0]);
  if (link)
    location.replace(link.href.split("#")[0] + location.hash);
};
addEventListener("hashchange", openPart);
openPart();
</script>
)";

std::string lines_of(std::string_view text, SourceRange lines) {
  std::size_t from = 0;
  for (std::size_t i = 0; i < lines.first; ++i)
    from = text.find('\n', from) + 1;
  std::size_t to = from;
  for (std::size_t i = lines.first; i < lines.past; ++i)
    to = text.find('\n', to) + 1;
  return std::string(text.substr(from, to - from));
}

std::string joined(const std::vector<std::string>& sections, SourceRange range) {
  return fmt::format("{}",
                     fmt::join(sections.begin() + static_cast<std::ptrdiff_t>(range.first),
                               sections.begin() + static_cast<std::ptrdiff_t>(range.past), ""));
}

} // namespace

std::string folder_of_parts(std::string_view page) {
  return std::filesystem::path(page).stem().string() + "-files";
}

PartedPage parted(Page page, const PartedBody& body, const std::string& file, std::size_t most,
                  std::size_t most_of_part) {
  const std::vector<std::string>& sections = body.sections;
  const std::size_t bytes =
      std::accumulate(sections.begin(), sections.end(), std::size_t{0},
                      [](std::size_t sum, const std::string& one) { return sum + one.size(); });
  const SourceRange all{0, sections.size()};
  if (file.empty() || bytes <= most) {
    page.body = body.whole(joined(sections, all), all);
    return {report::page(page)};
  }
  const std::vector<SourceRange> ranges = ranges_of(sections, most_of_part);
  PartedPage result;
  for (const SourceRange& range : ranges) {
    Page part = page;
    part.navigation = lines_of(page.navigation, range);
    part.body =
        fmt::format("<header class=\"page\" id=\"summary\">\n<h1><a href=\"../{}\">{}</a>"
                    "</h1>\n<p class=\"subtitle\">sources {} to {} of {}</p>\n</header>\n"
                    "{}{}",
                    escape(file), escape(page.title), range.first + 1, range.past, sections.size(),
                    joined(sections, range), body.end ? body.end(range) : "");
    result.parts.push_back(report::page(part));
  }
  const std::string folder = escape(folder_of_parts(file));
  page.navigation = with_links_to_parts(page.navigation, ranges, folder);
  page.body = with_links_to_parts(body.whole("", {}), ranges, folder).append(kOpenPart);
  page.gap.reset(); // there is nothing to step through
  result.main = report::page(page);
  return result;
}

} // namespace gputest::report

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/text.h"
#include "report/index/index.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gputest::report {
namespace {

// Returns the kind with the lowest mean percentage of kernels, if that is not 100.
std::pair<std::string_view, double> weakest(const Index& index) {
  std::pair<std::string_view, double> lowest{"", 100};
  for (const IndexKind& kind : index.kinds) {
    double sum = 0;
    std::size_t count = 0;
    for (const IndexRow& row : index.rows)
      if (const auto cell = row.cells.find(kind.name); cell != row.cells.end())
        if (const std::optional<double>& percent = cell->second.percent) {
          sum += *percent;
          ++count;
        }
    if (count > 0 && sum / static_cast<double>(count) < lowest.second)
      lowest = {kind.name, sum / static_cast<double>(count)};
  }
  return lowest;
}

} // namespace

std::string badge(const Index& index) {
  const std::size_t kernels = holding(index);
  const bool holds = kernels == index.rows.size() && kernels > 0;
  const std::string left = "kernel tests";
  std::string right = fmt::format("{}/{} hold", kernels, index.rows.size());
  if (const auto [kind, percent] = weakest(index); !kind.empty())
    right += fmt::format(" · {} {:.0f} %", kind, std::floor(percent));
  // Verdana's mean width at 11 pixels, so that no font need be measured.
  const auto wide = [](const std::string& text) {
    return 10 + 6.6 * static_cast<double>(width_of(text));
  };
  const double a = wide(left), b = wide(right);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"20\" role=\"img\" "
      "aria-label=\"{3}: {4}\"><title>{3}: {4}</title><clipPath id=\"r\"><rect width=\"{0:.0f}\" "
      "height=\"20\" rx=\"3\"/></clipPath><g clip-path=\"url(#r)\"><rect width=\"{1:.0f}\" "
      "height=\"20\" fill=\"#444c56\"/><rect x=\"{1:.0f}\" width=\"{2:.0f}\" height=\"20\" "
      "fill=\"{5}\"/></g><g fill=\"#fff\" text-anchor=\"middle\" "
      "font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\"><text x=\"{6:.0f}\" "
      "y=\"14\" "
      "textLength=\"{7:.0f}\">{3}</text><text x=\"{8:.0f}\" y=\"14\" textLength=\"{9:.0f}\">{4}"
      "</text></g></svg>\n",
      a + b, a, b, left, right, holds ? "#1a7f37" : "#c4202b", a / 2, a - 10, a + b / 2, b - 10);
}

} // namespace gputest::report

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/painter.h"
#include "report/common/text.h"
#include "report/index/index.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::report {
namespace {

std::string shortened(const std::string& text, std::size_t width) {
  if (width_of(text) <= width)
    return text;
  std::string begin;
  for (const char byte : text) { // whole code points
    if (width_of(begin + byte) > width - 1)
      break;
    begin += byte;
  }
  return begin + "…";
}

Style colour_of(Level level) {
  return level == Level::Full   ? Style::Green
         : level == Level::Fair ? Style::Yellow
         : level == Level::Poor ? Style::Red
                                : Style::Dim;
}

// Returns a remark on the worst cell of a kind: first what failed, then what says little or is
// open. It names the kernel if `names`.
std::string remark(const Index& index, std::string_view kind, bool names) {
  const auto of = [&](const IndexRow& row) { return names ? row.name + ": " : std::string(); };
  const Summary* open = nullptr;
  std::string open_of;
  std::size_t count = 0;
  for (const IndexRow& row : index.rows) {
    const auto cell = row.cells.find(kind);
    if (cell == row.cells.end())
      continue;
    const Summary& summary = cell->second;
    if (!summary.failures.empty())
      return of(row) + summary.failures.front();
    if (!summary.unverified.empty())
      return of(row) + summary.unverified.front();
    if (!summary.weak.empty())
      return of(row) + "weak: " + summary.weak.front();
    count += summary.open.size();
    if (!open && !summary.open.empty()) {
      open = &summary;
      open_of = of(row);
    }
  }
  return open ? fmt::format("{} open, such as {}{}", count, open_of, open->open.front().text) : "";
}

} // namespace

std::string index_terminal(const Index& index, bool colour, std::optional<std::size_t> columns) {
  const Painter paint(colour);
  std::size_t width = 0;
  for (const IndexKind& kind : index.kinds)
    width = std::max(width, kind.name.size());
  std::string about = index.date;
  if (!index.commit.empty())
    about += ", commit " + index.commit;
  std::string text =
      paint(Style::Bold, clean(index.title)) + "  " + paint(Style::Dim, about) + '\n';
  for (const IndexKind& kind : index.kinds) {
    const Held kernels = held(index, kind.name);
    const Summary* only = nullptr;
    std::string of; // the only kernel
    Level level = kernels.held == kernels.all ? Level::Full : Level::Poor;
    for (const IndexRow& row : index.rows)
      if (const auto cell = row.cells.find(kind.name);
          level == Level::Full && cell != row.cells.end() && !cell->second.unverified.empty())
        level = Level::Fair;
    if (kernels.all == 1)
      for (const IndexRow& row : index.rows)
        if (const auto cell = row.cells.find(kind.name); cell != row.cells.end()) {
          only = &cell->second;
          of = row.name + ": ";
        }
    if (only)
      level = only->failures.empty() ? only->level : Level::Poor;
    const std::size_t fits =
        columns ? std::max(*columns, width + 34) - width - 4 : std::string::npos;
    const std::string value =
        shortened(only ? clean(of + only->value + " " + only->detail)
                       : fmt::format("{} of {} hold", kernels.held, plural(kernels.all, "kernel")),
                  fits);
    const std::string said = clean(remark(index, kind.name, only == nullptr));
    const std::size_t taken = width_of(value) + 2;
    text += fmt::format(
        "  {}{}  {}{}\n", kind.name, padding(kind.name, width), paint(colour_of(level), value),
        said.empty() || taken + 10 > fits ? "" : "; " + shortened(said, fits - taken));
  }
  for (const std::string& problem : index.unread)
    text += fmt::format("  left out: {}\n", clean(problem));
  return text;
}

} // namespace gputest::report

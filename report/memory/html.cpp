// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded/memory_css.h"
#include "embedded/memory_page_html.h"
#include "model/shell.h"
#include "report/common/highlight.h"
#include "report/common/html_code.h"
#include "report/common/html_page.h"
#include "report/common/html_pieces.h"
#include "report/common/junit.h"
#include "report/common/kernel_links.h"
#include "report/common/text.h"
#include "report/memory/report.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::report {
namespace {

// -- Cases ---------------------------------------------------------------------------------------

std::string asked(const std::optional<std::string>& condition) {
  return "<td class=\"words asked\">" +
         (condition ? "<code>" + escape(*condition) + "</code>" : "") + "</td>";
}

std::string ranked(const MemoryKernel& kernel) {
  const bool is_solved = std::ranges::any_of(
      kernel.results.cases, [](const model::MemoryCase& one) { return one.condition.has_value(); });
  std::string text =
      "<h3>Cases, the worst first</h3>\n<div class=\"scroll\"><table class=\"ranked\">"
      "<thead><tr><th scope=\"col\">case</th><th scope=\"col\">overhead</th>"
      "<th scope=\"col\">cycles</th><th scope=\"col\">instructions of warps</th>"
      "<th scope=\"col\">schedule</th>";
  text += fmt::format("{}<th scope=\"col\">replay</th></tr></thead><tbody>\n",
                      is_solved ? "<th scope=\"col\">asked of the solver</th>" : "");
  for (const model::MemoryCase& one : kernel.results.cases)
    text += fmt::format(
        "<tr><th scope=\"row\">{}</th><td data-label=\"overhead\">{:.1f} %</td>"
        "<td data-label=\"cycles\">{}</td>"
        "<td data-label=\"instructions of warps\">{}</td>"
        "<td data-label=\"schedule\" class=\"words\">{}</td>{}"
        "<td data-label=\"replay\" class=\"words\">{}</td></tr>\n",
        escape(one.name), one.overhead_percent(), with_commas(one.cycles),
        with_commas(one.instructions), escape(one.schedule), is_solved ? asked(one.condition) : "",
        one.replay ? "<code>" +
                         escape(model::replay_command(
                             (kernel.folder / "memory" / *one.replay).lexically_normal())) +
                         "</code>"
                   : "");
  return text + "</tbody></table></div>\n";
}

// Returns cards with what is worst.
std::string memory_cards(const MemoryReport& report) {
  const MemoryKernel* kernel = nullptr;
  const model::MemoryCase* worst = nullptr;
  std::size_t cases = 0, warnings = 0, explored = 0, references = 0;
  for (const MemoryKernel& one : report.kernels) {
    cases += one.results.cases.size();
    explored += one.results.coverage.explored;
    references += one.results.coverage.total;
    for (const model::MemoryCase& launch : one.results.cases) {
      warnings += launch.warnings.size();
      if (!worst || launch.overhead_percent() > worst->overhead_percent()) {
        worst = &launch;
        kernel = &one;
      }
    }
  }
  std::string text;
  if (worst)
    text += card(worst->overhead_percent() >= 20 ? "poor" : "fair", "worst overhead",
                 fmt::format("{:.1f} %", worst->overhead_percent()),
                 fmt::format("of {} cycles, in “{}” of {}", with_commas(worst->cycles),
                             escape(worst->name), escape(kernel->label())));
  text += card(warnings == 0 ? "full" : "fair", "warnings", with_commas(warnings),
               fmt::format("in {}", plural(cases, "case")));
  return text + card(explored == references ? "full" : "fair", "references run",
                     fmt::format("{}/{}", explored, references), "that may wait for memory");
}

// -- Time ----------------------------------------------------------------------------------------

// Sizes of pictures of steps, whose names are on the left.
constexpr std::size_t kLeft = 90, kWidth = 720;

// Draws steps. Equal neighbours are one rectangle, and '.' is none. `attributes_of` returns a
// rectangle's look.
template <typename AttributesOf>
std::string row_of_steps(const std::string& steps, std::size_t y, std::size_t height,
                         std::size_t width, AttributesOf attributes_of) {
  const double step =
      static_cast<double>(kWidth) / static_cast<double>(std::max<std::size_t>(width, 1));
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < steps.size(); begin = end) {
    while (end < steps.size() && steps[end] == steps[begin])
      ++end;
    if (steps[begin] != '.')
      text += fmt::format("<rect {} x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\"/>",
                          attributes_of(steps[begin]),
                          static_cast<double>(kLeft) + static_cast<double>(begin) * step, y,
                          static_cast<double>(end - begin) * step, height);
  }
  return text + "\n";
}

std::string end_of_steps(std::size_t height, std::uint64_t cycles) {
  return fmt::format("<text x=\"{}\" y=\"{}\">0</text><text x=\"{}\" y=\"{}\" "
                     "text-anchor=\"end\">{}</text>\n</svg></div>\n",
                     kLeft, height + 11, kLeft + kWidth, height + 11, with_commas(cycles));
}

const char* class_of(char step) {
  return step == 'r' ? "runs" : step == 'm' ? "waits" : "barrier";
}

std::string time_line(const model::MemoryCase& one) {
  if (!one.timeline || one.timeline->warps.empty())
    return "";
  const model::MemoryTimeline& timeline = *one.timeline;
  constexpr std::size_t kRow = 9;
  std::size_t steps = 0;
  for (const model::MemoryTimeline::Warp& warp : timeline.warps)
    steps = std::max(steps, warp.steps.size());
  const std::size_t height = timeline.warps.size() * kRow;
  std::string text = fmt::format(
      "<h3>Warps of “{}” over {} cycles</h3>\n<p class=\"key\"><i class=\"k-runs\"></i>runs"
      "<i class=\"k-waits\"></i>waits for memory<i class=\"k-barrier\"></i>waits at a barrier</p>\n"
      "<div class=\"scroll\"><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"What each warp "
      "does over time\">\n",
      escape(one.name), with_commas(one.cycles), kLeft + kWidth, height + 14);
  for (std::size_t i = 0; i < timeline.warps.size(); ++i) {
    const model::MemoryTimeline::Warp& warp = timeline.warps[i];
    if (timeline.warps.size() <= 16 || i % 4 == 0)
      text += fmt::format("<text x=\"0\" y=\"{}\">core {} warp {}</text>\n", i * kRow + 8,
                          warp.core, warp.warp);
    text += row_of_steps(warp.steps, i * kRow, kRow - 1, steps,
                         [](char what) { return fmt::format("class=\"{}\"", class_of(what)); });
  }
  return text + end_of_steps(height, one.cycles);
}

// Draws the misses of sets, lighter and darker. Lines that another warp had evicted have another
// colour.
std::string sets_over_time(const model::MemoryCase& one) {
  if (!one.sets || one.sets->rows.empty() || one.sets->most == 0)
    return "";
  const model::MemorySets& sets = *one.sets;
  const std::size_t row_height = sets.rows.size() <= 16 ? 9 : 5;
  const std::size_t height = sets.rows.size() * row_height;
  std::string text = fmt::format(
      "<h3>Sets of the nearest caches over {} cycles of “{}”</h3>\n<p class=\"key\">"
      "<i class=\"k-missed\"></i>misses, up to {} at a time<i class=\"k-evicted\"></i>with lines "
      "that other warps had evicted</p>\n<div class=\"scroll\"><svg viewBox=\"0 0 {} {}\" "
      "role=\"img\" aria-label=\"What each set of the cache misses over time\">\n",
      with_commas(one.cycles), escape(one.name), with_commas(sets.most), kLeft + kWidth,
      height + 14);
  for (std::size_t i = 0; i < sets.rows.size(); ++i) {
    const std::string& row = sets.rows[i];
    if (i % 8 == 0)
      text += fmt::format("<text x=\"0\" y=\"{}\">set {}</text>\n", i * row_height + 8,
                          i * sets.sets_of_row);
    text += row_of_steps(row, i * row_height, row_height, row.size(), [](char what) {
      const bool is_evicted = what < 'a';
      const int ninths = what - (is_evicted ? 'A' : 'a') + 1;
      return fmt::format("class=\"{}\" fill-opacity=\"{:.2f}\"", is_evicted ? "evicted" : "missed",
                         0.2 + 0.8 * ninths / 9);
    });
  }
  return text + end_of_steps(height, one.cycles);
}

// Draws a curve for each strategy, up to the last thing that any of them found.
std::string issues_curves(const MemoryKernel& kernel) {
  const std::vector<model::MemoryCurve> curves = kernel.curves();
  if (std::ranges::all_of(
          curves, [](const model::MemoryCurve& curve) { return curve.progress.size() < 2; }))
    return "";
  constexpr double kLong = 770, kHeight = 120, kBegin = 40;
  double seconds = 1e-9;
  std::uint64_t most = 1;
  for (const model::MemoryCurve& curve : curves)
    for (const model::MemoryProgress& one : curve.progress) {
      seconds = std::max(seconds, one.seconds);
      most = std::max(most, one.issues);
    }
  const auto x = [&](double at) { return kBegin + kLong * at / seconds; };
  const auto y = [&](std::uint64_t issues) {
    return kHeight + 8 - kHeight * static_cast<double>(issues) / static_cast<double>(most);
  };
  std::string text = "<h3>Issues found over time</h3>\n<p class=\"key\">", lines;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const model::MemoryCurve& curve = curves[i];
    const model::MemoryProgress last =
        curve.progress.empty() ? model::MemoryProgress{} : curve.progress.back();
    text += fmt::format("<i class=\"k-curve{}\"></i>{}: {} in {} executions", i,
                        escape(curve.strategy), last.issues, with_commas(last.executions));
    std::string points = fmt::format("{:.1f},{:.1f}", x(0), y(0));
    std::uint64_t before = 0;
    for (const model::MemoryProgress& one : curve.progress) {
      points += fmt::format(" {:.1f},{:.1f} {:.1f},{:.1f}", x(one.seconds), y(before),
                            x(one.seconds), y(one.issues));
      before = one.issues;
    }
    lines += fmt::format("<polyline class=\"curve curve{}\" points=\"{} {:.1f},{:.1f}\"/>\n", i,
                         points, x(seconds), y(before));
  }
  return text + fmt::format("</p>\n<div class=\"scroll\"><svg viewBox=\"0 0 820 145\" role=\"img\" "
                            "aria-label=\"Issues over testing time\"><line class=\"axis\" "
                            "x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\"/>\n{3}"
                            "<text x=\"0\" y=\"14\">{4}</text><text x=\"0\" y=\"{1}\">0</text>"
                            "<text x=\"{0}\" y=\"142\">0 s</text><text x=\"{2}\" y=\"142\" "
                            "text-anchor=\"end\">{5:.1f} s</text></svg></div>\n",
                            kBegin, kHeight + 8, kBegin + kLong, lines, with_commas(most), seconds);
}

// -- Source --------------------------------------------------------------------------------------

struct LineCount {
  std::uint64_t transactions = 0, fewest = 0, misses = 0, waiting = 0, lost = 0;
};

std::string source_of(const MemoryKernel& kernel, const model::MemoryCase& one,
                      const SourceTree& sources) {
  std::map<std::string, std::map<unsigned, LineCount>> files;
  std::uint64_t waiting = 0;
  for (const model::MemoryReference& reference : one.references) {
    if (reference.line == 0)
      continue;
    LineCount& count = files[reference.file][reference.line];
    count.transactions += reference.transactions;
    count.fewest += reference.fewest;
    count.misses += reference.misses;
    count.waiting += reference.waiting;
    count.lost += reference.lost;
    waiting += reference.waiting;
  }
  std::string text;
  for (const auto& [file, counts] : files) {
    text += fmt::format("<h3>{} in “{}”</h3>\n", breakable(file), escape(one.name));
    SourceTree nearby = sources;
    nearby.roots.push_back(kernel.folder);
    const auto lines = nearby.lines_of(file);
    if (!lines) {
      text += "<p class=\"key\">The file was not found: say where with --source-root.</p>\n";
      continue;
    }
    const std::vector<std::vector<Token>> tokens = highlight(*lines);
    text += "<div class=\"scroll\"><table class=\"lines\"><thead><tr>";
    for (const char* column : {"waiting", "lost", "misses", "transactions", "fewest", "line"})
      text += fmt::format("<th scope=\"col\">{}</th>", column);
    text += "<th></th></tr></thead><tbody>\n";
    const unsigned first = counts.begin()->first, last = counts.rbegin()->first;
    for (unsigned number = first > 5 ? first - 5 : 1;
         number <= std::min<std::size_t>(lines->size(), last + 3); ++number) {
      const auto count = counts.find(number);
      const LineCount none;
      const LineCount& at = count == counts.end() ? none : count->second;
      const bool is_slow = at.waiting != 0 && 5 * at.waiting >= waiting;
      const auto cell = [&](std::uint64_t value) {
        return fmt::format("<td>{}</td>", count == counts.end() ? "" : with_commas(value));
      };
      std::string code;
      write_code((*lines)[number - 1], tokens[number - 1], {}, std::back_inserter(code));
      text += fmt::format("<tr{}>{}{}{}{}{}<td>{}</td><td class=\"source\"><code>{}</code></td>"
                          "</tr>\n",
                          is_slow ? " class=\"slow\"" : "", cell(at.waiting), cell(at.lost),
                          cell(at.misses), cell(at.transactions), cell(at.fewest), number, code);
    }
    text += "</tbody></table></div>\n";
  }
  return text;
}

std::string problems(const model::MemoryCase& one) {
  std::string text;
  for (const model::MemoryWarning& warning : one.warnings) {
    std::string why =
        fmt::format("{}<p>because: {}</p>", escape(warning.message), escape(warning.because));
    for (const model::MemoryWarning::Remedy& what : warning.what_ifs)
      why += fmt::format("<p>what if: {}</p>", escape(text_of(what)));
    text +=
        problem("warning",
                fmt::format("{}:{}:{}", escape(warning.file), warning.line, warning.column), why);
  }
  std::string hints;
  for (const model::MemoryWarning::Remedy& what : one.hints)
    hints += fmt::format("<p>what if: {}</p>\n", escape(text_of(what)));
  return problem_list(text) + hints;
}

std::string patches(const MemoryKernel& kernel) {
  std::string text;
  for (const model::MemoryPatch& patch : kernel.results.patches)
    text += fmt::format("<p>{}</p>\n<pre class=\"text\">{}</pre>\n", escape(text_of(patch)),
                        escaped_lines(patch.diff));
  return text;
}

} // namespace

std::string memory_html(const MemoryReport& report, const SourceTree& sources) {
  std::string sections, navigation;
  for (std::size_t i = 0; i < report.kernels.size(); ++i) {
    const MemoryKernel& kernel = report.kernels[i];
    navigation += navigation_link('#' + kernel_anchor(i), escape(kernel.label()));
    sections += fmt::format("<section class=\"file memory\" id=\"k{0}\" aria-labelledby=\"k{0}-name"
                            "\">\n{5}<header><h2 id=\"k{0}-name\">{1} on {2}</h2></header>\n"
                            "<p class=\"key\">{3} of {4} references that may wait for memory were "
                            "run</p>\n",
                            i, escape(kernel.label()), escape(kernel.results.gpu),
                            kernel.results.coverage.explored, kernel.results.coverage.total,
                            kernel_ids(kernel.folder.filename().string(), kernel.results.kernel));
    sections += ranked(kernel);
    if (!kernel.results.cases.empty()) {
      const model::MemoryCase& worst = kernel.results.cases.front();
      sections += problems(worst) + patches(kernel) + source_of(kernel, worst, sources);
    }
    for (const model::MemoryCase& one : kernel.results.cases)
      sections += time_line(one) + sets_over_time(one);
    sections += issues_curves(kernel) + "</section>\n";
  }
  const std::string body =
      fill_in(memory_page_html, {{"title", escape(report.title)},
                                 {"subtitle", plural(report.kernels.size(), "kernel")},
                                 {"cards", memory_cards(report)},
                                 {"sections", sections}});
  return page({.title = report.title,
               .css = std::string(memory_css),
               .navigation = navigation,
               .body = body});
}

} // namespace gputest::report

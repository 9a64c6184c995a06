// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded/viewer_html.h"
#include "report/common/text.h"
#include "report/mutation/outputs.h"

#include <map>

namespace gputest::report {
namespace {

// The most mutants of one file. Chromium took 4 s to show a file of 10,000 mutants and 14 s for
// 20,000. For 100,000 it showed nothing within 200 s.
constexpr std::size_t kViewable = 20'000;

// A script's text that can neither end its element nor begin a comment there. Both occur in a
// script only inside strings and regular expressions, where "\x3c" is "<".
std::string inline_script(std::string_view script) {
  std::string out;
  out.reserve(script.size());
  const auto begins = [](std::string_view text, std::string_view lower_case) {
    if (text.size() < lower_case.size())
      return false;
    for (std::size_t i = 0; i < lower_case.size(); ++i) {
      const char c = text[i];
      if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != lower_case[i])
        return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < script.size(); ++i) {
    const std::string_view rest = script.substr(i);
    if (begins(rest, "</script") || begins(rest, "<!--"))
      out += "\\x3c";
    else
      out += script[i];
  }
  return out;
}

} // namespace

bool suits_viewer(const MutationReport& report) {
  std::map<std::string, std::size_t> mutants;
  for (const Entry& entry : entries_of(report))
    if (++mutants[entry.place.key] > kViewable)
      return false;
  return true;
}

std::string mutation_viewer(const MutationReport& report, std::string_view viewer) {
  return fill_in(viewer_html, {{"title", escape(report.title)},
                               {"viewer", inline_script(viewer)},
                               {"report", inline_json(mutation_json(report))}});
}

} // namespace gputest::report

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/junit.h"
#include "report/common/mutant_text.h"
#include "report/common/text.h"
#include "report/mutation/outputs.h"

#include <fmt/format.h>
#include <iterator>

namespace gputest::report {
namespace {

using model::Tallies;
using model::Verdict;

bool is_scored(const model::MutantResult& result) {
  const Verdict verdict = result.verdict;
  return !model::is_indistinct(result) && verdict != Verdict::Equivalent &&
         verdict != Verdict::Duplicate && verdict != Verdict::CompileError &&
         verdict != Verdict::Ignored && verdict != Verdict::NotRun;
}

// Tests, failures, skipped.
std::string counts(const Tallies& tallies) {
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"", tallies.total,
                     tallies.scored() - tallies.detected(), tallies.total - tallies.scored());
}

void write_case(const Entry& entry, JUnitNames& names, std::string& out) {
  const model::MutantResult& result = *entry.result;
  const std::string place =
      fmt::format("{}:{}:{}", entry.place.name, entry.place.line, entry.place.column);
  const std::string class_name = label_of(*entry.kernel) + "." + operators_text(result.mutant);
  const std::string name = fmt::format("{}: {} → {} [{}]", place, result.mutant.text,
                                       result.mutant.replacement, result.mutant.id);
  fmt::format_to(std::back_inserter(out),
                 "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\" "
                 "time=\"{:.6f}\"",
                 escape(class_name), escape(names.unique(class_name, name)),
                 escape(entry.place.name), entry.place.line, result.seconds);
  const std::string outcome = escape(outcome_text(result));
  if (!is_scored(result))
    out += "><skipped message=\"" + outcome + "\"/></testcase>\n";
  else if (result.verdict == Verdict::Killed || result.verdict == Verdict::Timeout)
    out += "/>\n";
  else
    fmt::format_to(std::back_inserter(out),
                   "><failure type=\"{}\" message=\"{}\">{}: {}{}</failure></testcase>\n",
                   model::name_of(result.verdict), outcome, escape(place), outcome,
                   details_text(result).empty() ? "" : ": " + escaped_lines(details_text(result)));
}

} // namespace

std::string junit(const MutationReport& report) {
  double seconds = 0;
  for (const model::Mutation& kernel : report.kernels)
    seconds += kernel.seconds;
  std::string out = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                "<testsuites name=\"{}\" {} time=\"{:.3f}\">\n",
                                escape(report.title), counts(tally(report)), seconds);
  JUnitNames names;
  const std::vector<Entry> entries = entries_of(report);
  for (const model::Mutation& kernel : report.kernels) {
    fmt::format_to(std::back_inserter(out), "  <testsuite name=\"{}\" {} time=\"{:.3f}\">\n",
                   escape(label_of(kernel)), counts(model::tally(kernel.results)), kernel.seconds);
    for (const Entry& entry : entries)
      if (entry.kernel == &kernel)
        write_case(entry, names, out);
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

} // namespace gputest::report

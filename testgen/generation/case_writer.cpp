// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/generation/case_writer.h"

#include "testgen/kills.h"
#include "testgen/weak.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::testgen {
namespace {

std::string same_values_of(const Checked& checked) {
  return checked.valid() && !checked.silent()
             ? fmt::format("{}: {} [{}]", place_text(checked.findings.front().site),
                           checked.findings.front().message, checked.findings.front().kind)
             : "";
}

} // namespace

CaseRisks risks_of(const Target& target, Worker& worker, const Input& input,
                   const Checked& checked) {
  const auto varying = varying_output(target, worker, input, checked.after);
  return {.same_values = same_values_of(checked), .depends_on_order = varying && varying->by_order};
}

// A case is named after its last branch, because nearly all inputs reach the first ones.
std::string CaseWriter::name_for(const std::vector<Goal>& goals,
                                 const std::vector<Goal>& kills) const {
  const auto branch = std::find_if(goals.rbegin(), goals.rend(), [&](const Goal& goal) {
    return target_.sites.sites[goal.site].criterion == model::Criterion::Branch;
  });
  return fmt::format(
      "{}-{}", file_part(target_.kernel()),
      goals.empty() ? "kills-" + file_part(*kills.back().mutant)
                    : file_part(branch == goals.rend() ? goals.back() : *branch, target_.sites));
}

Written CaseWriter::write(Worker& worker, const Input& input,
                          const std::vector<Goal>& reason) const {
  std::vector<Goal> goals, kills;
  for (const Goal& goal : reason)
    (goal.mutant ? kills : goals).push_back(goal);
  CaseText text{.name = name_for(goals, kills),
                .offset_has_default = !settings_.case_global_offset.empty()};
  CaseRisks risks;
  for (const Goal& goal : kills)
    text.kills.push_back(goal.mutant->id);
  for (const Goal& goal : goals)
    text.reaches.push_back(text_of(goal, target_.sites));
  try {
    const Checked checked = worker.check(input);
    risks.same_values = same_values_of(checked);
    if (can_be_assumed_fixed(checked))
      for (const simulator::Finding& finding : checked.findings)
        text.assumes_fixed.push_back(
            fmt::format("{}: {} [{}]", place_text(finding.site), finding.message, finding.kind));
    if (settings_.record)
      risks.depends_on_order = record(worker, input, checked, text);
    text.weak = why_weak(target_, constraints_, worker, input, checked);
  } catch (const OutOfTime&) {
    if (settings_.record && text.recorded.empty() && text.not_recorded.empty())
      text.not_recorded = "not recorded: there was no time left to run it in several orders";
  }
  Written written{.name = text.name,
                  .goals = goals,
                  .kills = kills,
                  .weak = text.weak,
                  .risks = risks,
                  .assumes_fixed = text.assumes_fixed,
                  .recorded = !text.recorded.empty(),
                  .not_recorded = text.not_recorded};
  written.file = write_case(settings_.output, target_, input, text);
  return written;
}

bool CaseWriter::record(Worker& worker, const Input& input, const Checked& checked,
                        CaseText& text) const {
  if (!checked.valid()) {
    text.not_recorded = "not recorded: the kernel is at fault with this input";
    return false;
  }
  const auto varying = varying_output(target_, worker, input, checked.after);
  if (varying)
    text.not_recorded = "not recorded: " + varying->text();
  else
    text.recorded = checked.after;
  return varying && varying->by_order;
}

} // namespace gputest::testgen

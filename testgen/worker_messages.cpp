// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/worker_messages.h"

#include <cstdint>
#include <optional>

namespace gputest::testgen {
namespace {

using runtime::Bytes;

void put(Writer& to, const simulator::Finding& finding) {
  for (const std::string* text :
       {&finding.kind, &finding.message, &finding.object, &finding.site.file})
    to.put_sized(text->data(), text->size());
  to.put(finding.site.line);
  to.put(finding.site.column);
}

simulator::Finding take_finding(Reader& from) {
  simulator::Finding finding;
  for (std::string* text : {&finding.kind, &finding.message, &finding.object, &finding.site.file})
    *text = from.take_sized<std::string>();
  finding.site.line = from.take<unsigned>();
  finding.site.column = from.take<unsigned>();
  return finding;
}

void put(Writer& to, const std::vector<Bytes>& all) {
  to.put(static_cast<std::uint64_t>(all.size()));
  for (const Bytes& bytes : all)
    to.put_sized(bytes.data(), bytes.size());
}

std::vector<Bytes> take_memory(Reader& from) {
  std::vector<Bytes> all(from.take_count());
  for (Bytes& bytes : all)
    bytes = from.take_sized<Bytes>();
  return all;
}

} // namespace

void put(Writer& to, const Outcome& outcome) {
  to.put(outcome.fault);
  to.put(outcome.outside);
  to.put(outcome.harmful);
  to.put(outcome.late);
  to.put(outcome.steps);
  to.put_sized(outcome.words.data(), outcome.words.size() * sizeof(std::uint32_t));
  to.put_sized(outcome.extents.data(), outcome.extents.size() * sizeof(simulator::Monitor::Extent));
}

Outcome take_outcome(Reader& from) {
  Outcome outcome;
  outcome.fault = from.take<Fault>();
  outcome.outside = from.take<bool>();
  outcome.harmful = from.take<bool>();
  outcome.late = from.take<bool>();
  outcome.steps = from.take<std::int64_t>();
  outcome.words = from.take_sized<std::vector<std::uint32_t>>();
  outcome.extents = from.take_sized<std::vector<simulator::Monitor::Extent>>();
  return outcome;
}

void put(Writer& to, const Checked& checked) {
  to.put(checked.fault);
  to.put(checked.late);
  to.put(static_cast<std::uint64_t>(checked.findings.size()));
  for (const simulator::Finding& finding : checked.findings)
    put(to, finding);
  put(to, checked.after);
}

Checked take_checked(Reader& from) {
  Checked checked{.fault = from.take<Fault>(), .findings = {}, .after = {}};
  checked.late = from.take<bool>();
  checked.findings.resize(from.take_count());
  for (simulator::Finding& finding : checked.findings)
    finding = take_finding(from);
  checked.after = take_memory(from);
  return checked;
}

void put(Writer& to, const Oracle& oracle) {
  to.put(oracle.tolerance);
  to.put(static_cast<std::uint64_t>(oracle.right.size()));
  for (const std::optional<Bytes>& bytes : oracle.right) {
    to.put(bytes.has_value());
    if (bytes)
      to.put_sized(bytes->data(), bytes->size());
  }
}

Oracle take_oracle(Reader& from) {
  Oracle oracle{.tolerance = from.take<Tolerance>(), .right = {}};
  oracle.right.resize(from.take_count());
  for (std::optional<Bytes>& bytes : oracle.right)
    if (from.take<bool>())
      bytes = from.take_sized<Bytes>();
  return oracle;
}

} // namespace gputest::testgen

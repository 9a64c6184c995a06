// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/sites.h"

#include <algorithm>

namespace gputest::testgen {

std::size_t way_of(const TracedSite& site, const Event& event) {
  if (site.kind != TracedSite::Kind::Switch)
    return event.value != 0;
  return static_cast<std::size_t>(std::ranges::find(site.cases, event.value) - site.cases.begin());
}

Label is_way(Table& table, const TracedSite& site, const Event& event, std::size_t way) {
  if (site.kind == TracedSite::Kind::Address)
    return table.make(Op::Equal, 1, event.label, table.constant(event.value, 64));
  if (site.kind != TracedSite::Kind::Switch)
    return way ? event.label : table.negation(event.label);
  const unsigned bits = table[event.label].bits;
  if (way < site.cases.size())
    return table.make(Op::Equal, 1, event.label, table.constant(site.cases[way], bits));
  Label none = table.constant(1, 1);
  for (const std::uint64_t one : site.cases)
    none = table.make(
        Op::And, 1, none,
        table.negation(table.make(Op::Equal, 1, event.label, table.constant(one, bits))));
  return none;
}

} // namespace gputest::testgen

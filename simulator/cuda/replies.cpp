// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/replies.h"

namespace gputest::simulator::cuda {

void write(Writer& reply, const Finding& finding, const std::string& kind) {
  reply.text(kind)
      .text(finding.site.file)
      .number(finding.site.line)
      .number(finding.site.column)
      .text(finding.message)
      .number(finding.count);
}

void write(Writer& reply, const Footprint& footprint) {
  reply.number(footprint.signals).number(footprint.places.size());
  for (const model::CodePlace& place : footprint.places)
    reply.text(place.file).number(place.line).number(place.column);
  std::string ranges;
  ranges.reserve(footprint.ranges.size() * sizeof(AccessedRange));
  for (const Accessed& one : footprint.ranges) {
    const AccessedRange range{.begin = one.begin,
                              .size = one.size,
                              .place = one.site,
                              .kind = one.atomic ? (one.write ? kAtomicWrite : kAtomicRead)
                                                 : (one.write ? kPlainWrite : kPlainRead)};
    ranges.append(reinterpret_cast<const char*>(&range), sizeof range);
  }
  reply.text(ranges);
}

} // namespace gputest::simulator::cuda

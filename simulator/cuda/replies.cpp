// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/replies.h"

namespace gputest::simulator::cuda {

LineOfCode line_of(const model::CodePlace& place) {
  return {.file = place.file, .line = place.line, .column = place.column};
}

EndedLaunch ended_launch(const Launched& launched) {
  EndedLaunch ended{.nanoseconds = static_cast<std::uint64_t>(launched.seconds * 1e9),
                    .error = static_cast<CudaError>(launched.error),
                    .message = launched.message,
                    .output = launched.output,
                    .signals = launched.footprint.signals};
  const auto tell = [&](const Finding& finding, const std::string& kind) {
    ended.findings.push_back({.kind = kind,
                              .place = line_of(finding.site),
                              .message = finding.message,
                              .count = finding.count,
                              .cause = finding.cause});
  };
  for (const auto* const findings : {&launched.findings, &launched.forgiven})
    for (const Finding& finding : *findings)
      tell(finding, finding.kind);
  for (const Finding& note : launched.notes)
    tell(note, "");
  for (const model::CodePlace& place : launched.footprint.places)
    ended.places.push_back(line_of(place));
  ended.ranges.reserve(launched.footprint.ranges.size());
  for (const Accessed& one : launched.footprint.ranges)
    ended.ranges.push_back({.begin = one.begin,
                            .size = one.size,
                            .place = one.site,
                            .kind = one.atomic ? (one.write ? kAtomicWrite : kAtomicRead)
                                               : (one.write ? kPlainWrite : kPlainRead)});
  return ended;
}

} // namespace gputest::simulator::cuda

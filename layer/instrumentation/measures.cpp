// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/instrumentation/measures.h"

#include "layer/instrumentation/instrumentation.h"

#include <algorithm>
#include <array>

namespace gputest::layer {
namespace {

constexpr std::array kMeasures{
    Measure{.name = "coverage", .instrument = instrument_coverage},
    Measure{.name = "mutants",
            .instrument = instrument_mutants,
            .hashes_reads = true,
            .one_source = true},
    Measure{.name = "schedules",
            .instrument = instrument_schedules,
            .instrument_module = instrument_orders,
            .hashes_reads = true},
    Measure{.name = "check",
            .instrument = instrument_nothing,
            .instrument_module = instrument_nothing,
            .checks = true},
    Measure{.name = "launches", .instrument = instrument_coverage, .captures = true},
    Measure{.name = "nothing", .instrument = instrument_coverage, .leaves_kernels = true},
};

} // namespace

const Measure* measure_named(std::string_view name) {
  const auto found = std::ranges::find(kMeasures, name, &Measure::name);
  return found == kMeasures.end() ? nullptr : &*found;
}

} // namespace gputest::layer

// From the sources of a program to the file that is instrumented, in the cache.
#pragma once

#include "layer/build.h"
#include "runtime/machine/opencl/device.h"
#include "runtime/variants/instrument.h"

namespace gputest::layer {

struct VariantSource {
  runtime::InstrumentRequest request;
  NamedSource name; // of the first unit, `text` moved away
};

// Writes the sources of `units`, with the names of their files, to the cache: those of several as
// one text, each between its own macros. Throws std::runtime_error.
VariantSource variant_source(Services& services, const std::vector<Unit>& units);

// runtime::probe_macros, whose answers are kept in the cache.
std::vector<model::DeviceMacro> device_macros(const Settings& settings,
                                              const runtime::Device& device,
                                              const std::vector<model::DeviceMacro>& assumed,
                                              const runtime::BuildSettings& build);

} // namespace gputest::layer

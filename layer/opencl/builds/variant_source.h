// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the sources of a program to the cache, as the file that is instrumented.
#pragma once

#include "layer/opencl/builds/build.h"
#include "runtime/machine/opencl/device.h"
#include "runtime/variants/instrument.h"

namespace gputest::layer {

struct VariantSource {
  runtime::InstrumentRequest request;
  NamedSource name; // the name of the first unit; `text` is moved from
};

// Writes the sources of `units`, with the names of their files, to the cache. Several sources
// become one text, each between its own macros. Throws std::runtime_error.
VariantSource variant_source(Services& services, const std::vector<Unit>& units);

// As runtime::probe_macros(). The cache keeps the answers.
std::vector<model::DeviceMacro> device_macros(const Settings& settings,
                                              const runtime::Device& device,
                                              const std::vector<model::DeviceMacro>& assumed,
                                              const runtime::BuildSettings& build);

} // namespace gputest::layer

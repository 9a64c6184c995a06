// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch has shown, in the words of the protocol (wire.h).
#pragma once

#include "simulator/cuda/launch.h"
#include "simulator/cuda/wire.h"

#include <string>

namespace gputest::simulator::cuda {

// `kind`: empty for a note.
void write(Writer& reply, const Finding& finding, const std::string& kind);
void write(Writer& reply, const Footprint& footprint);

} // namespace gputest::simulator::cuda

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch has shown, in the words of the protocol (wire.h).
#pragma once

#include "simulator/cuda/launch.h"
#include "simulator/cuda/wire.h"

namespace gputest::simulator::cuda {

LineOfCode line_of(const model::CodePlace& place);
EndedLaunch ended_launch(const Launched& launched);

} // namespace gputest::simulator::cuda

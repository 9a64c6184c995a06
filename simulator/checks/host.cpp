// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host's code does is judged where its calls are (cuda/runtime/order/,
// layer/opencl/host/). The kernel stays as it is.
#include "simulator/checks/check.h"

namespace gputest::simulator {

const Check& host_check() {
  static const Check kCheck{.name = "host"};
  return kCheck;
}

} // namespace gputest::simulator

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/mutation/outputs.h"

namespace gputest::report {

std::string mutation_json(const MutationReport& report) {
  return model::text_of(report.kernels);
}

} // namespace gputest::report

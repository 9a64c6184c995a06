// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/files.h"
#include "report/coverage/outputs.h"

#include <nlohmann/json.hpp>

namespace gputest::report {

std::string json(const Report& report) {
  return model::pretty(model::to_json(report.all));
}

} // namespace gputest::report

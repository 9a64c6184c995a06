#include "report/outputs.h"

#include "model/files.h"

#include <nlohmann/json.hpp>

namespace gputest::report {

std::string json(const Report& report) {
  return model::pretty(model::to_json(report.all));
}

} // namespace gputest::report

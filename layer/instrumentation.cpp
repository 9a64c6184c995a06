#include "layer/instrumentation.h"

#include <utility>

namespace gputest::layer {

nlohmann::json sizes_json(const Launch& launch) {
  nlohmann::json json;
  for (unsigned i = 0; i < launch.dimensions; ++i)
    for (const auto& [key, of] : {std::pair("global_size", &launch.global_size),
                                  std::pair("local_size", &launch.local_size),
                                  std::pair("global_offset", &launch.global_offset)})
      json[key].push_back((*of)[i]);
  return json;
}

void add_sizes(const Launch& launch, std::vector<std::uint64_t>& key) {
  key.push_back(launch.dimensions);
  for (const auto* sizes : {&launch.global_size, &launch.local_size, &launch.global_offset})
    key.insert(key.end(), sizes->begin(), sizes->end());
}

std::string Instrumentation::refusal(const std::string& /*kernel*/) const {
  return "";
}

std::unique_ptr<Instrumentation> make_instrumentation(const Settings& settings) {
  switch (settings.measure) {
  case Measure::Mutants:
    return instrument_mutants(settings);
  case Measure::Schedules:
    return instrument_schedules(settings);
  case Measure::Coverage:
  case Measure::Launches: // those run the program's own kernels
    break;
  }
  return instrument_coverage(settings);
}

} // namespace gputest::layer

#include "layer/instrumentation.h"

namespace gputest::layer {

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

#include "runtime/machine/machine.h"

#include <cstdlib>

namespace gputest::runtime {

bool wants_simulator(const std::string& device) {
  const char* const environment = std::getenv("GPUTEST_DEVICE");
  return (device.empty() && environment ? environment : device) == "simulator";
}

} // namespace gputest::runtime

#include "runtime/machine/opencl/device.h"

#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/runtime/device_fixture.h"

#include <algorithm>

using namespace gputest;
using namespace gputest::runtime;
using namespace gputest::tests;

TEST_CASE("devices are found by index, type, and part of a name in any case",
          "[needs][needs-device]") {
  require_device();
  const std::vector<Device> devices = list_devices();
  const Device& first = devices.front();
  CHECK(choose_device("").name == first.name);
  CHECK(choose_device("0").name == first.name);
  CHECK(choose_device(first.type).type == first.type);
  std::string part = first.name.substr(1, 4);
  std::ranges::transform(part, part.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  CHECK(choose_device(part).name == first.name);
  const std::string message = message_of<UsageError>([] { choose_device("abacus"); });
  for (const char* wrong : {" ", "-1", "1e9", "9223372036854775808", "18446744073709551616", "0x0"})
    CHECK(contains(message_of<UsageError>([&] { choose_device(wrong); }),
                   "no device is called '" + std::string(wrong) + "'"));
  CHECK(contains(message, "no device is called 'abacus'; there are:\n0: " + first.name));
}

TEST_CASE("GPUTEST_DEVICE chooses where nobody else does", "[needs][needs-device]") {
  require_device();
  const tests::Environment environment({{"GPUTEST_DEVICE", "abacus"}});
  CHECK(contains(message_of<UsageError>([] { choose_device(""); }),
                 "GPUTEST_DEVICE: no device is called 'abacus'; there are:"));
  CHECK_NOTHROW(choose_device("0"));
}

TEST_CASE("errors have their names") {
  CHECK(error_name(CL_INVALID_WORK_GROUP_SIZE) == "CL_INVALID_WORK_GROUP_SIZE");
  CHECK(error_name(-9999) == "OpenCL error -9999");
  CHECK(std::string(device_error(cl::Error(-5, "clEnqueueNDRangeKernel"), "kernel 'k'").what()) ==
        "kernel 'k': clEnqueueNDRangeKernel failed: CL_OUT_OF_RESOURCES (-5)");
}

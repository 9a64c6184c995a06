#include "driver/devices/resources.h"

#include "tests/catch.h"

using gputest::driver::ListedDevice;
using gputest::driver::resource_specification;

TEST_CASE("GPUs are for one test each, and CPUs for as many as they have cores") {
  const ListedDevice devices[]{{"cpu", "pocl", 16}, {"gpu", "one", 132}, {"gpu", "other", 132}};
  const auto json = resource_specification(devices, 1);
  CHECK(json["version"] == nlohmann::ordered_json{{"major", 1}, {"minor", 0}});
  REQUIRE(json["local"].size() == 1);
  CHECK(json["local"][0].dump() == R"({"cpus":[{"id":"0","slots":16}],)"
                                   R"("gpus":[{"id":"1","slots":1},{"id":"2","slots":1}]})");
  CHECK(resource_specification(devices, 3)["local"][0]["gpus"][1]["slots"] == 3);
}

TEST_CASE("where there is no GPU, other devices stand for them") {
  const ListedDevice devices[]{{"cpu", "pocl", 2}, {"accelerator", "board", 1}};
  CHECK(resource_specification(devices, 1)["local"][0].dump() ==
        R"({"gpus":[{"id":"0","slots":2},{"id":"1","slots":1}],)"
        R"("cpus":[{"id":"0","slots":2}],"accelerators":[{"id":"1","slots":1}]})");
}

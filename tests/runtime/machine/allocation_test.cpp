// Which device CTest has allocated.
#include "runtime/machine/allocation.h"

#include "gputest/error.h"
#include "tests/catch.h"
#include "tests/environment.h"

#include <string>

using namespace gputest;
using namespace gputest::runtime;
using tests::ContainsSubstring;
using tests::Environment;

TEST_CASE("what CTest allocates is the device that is meant") {
  CHECK_FALSE(allocated_device(""));
  const Environment environment({{"CTEST_RESOURCE_GROUP_COUNT", "2"},
                                 {"CTEST_RESOURCE_GROUP_0", "cpus"},
                                 {"CTEST_RESOURCE_GROUP_0_CPUS", "id:4,slots:2"},
                                 {"CTEST_RESOURCE_GROUP_1", "gpus"},
                                 {"CTEST_RESOURCE_GROUP_1_GPUS", "id:2,slots:1;id:3,slots:1"}});
  CHECK(allocated_device("") == 2u);
  CHECK(allocated_device("gpu") == 2u);
  CHECK(allocated_device("cpu") == 4u);
  CHECK_FALSE(allocated_device("accelerator"));
  CHECK_FALSE(allocated_device("geforce"));
  CHECK_FALSE(allocated_device("0"));
}

TEST_CASE("ids that are no devices are refused") {
  const Environment environment({{"CTEST_RESOURCE_GROUP_COUNT", "1"},
                                 {"CTEST_RESOURCE_GROUP_0", "gpus"},
                                 {"CTEST_RESOURCE_GROUP_0_GPUS", "id:uuid_7,slots:1"}});
  CHECK_THROWS_WITH(allocated_device(""),
                    ContainsSubstring("CTEST_RESOURCE_GROUP_0_GPUS=id:uuid_7,slots:1") &&
                        ContainsSubstring("gputest resources"));
}

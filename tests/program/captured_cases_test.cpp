#include "program/opencl/captured_cases.h"

#include "tests/catch.h"

using namespace gputest::program;

TEST_CASE("Lines of CMake say which CMakeLists.txt they are for") {
  CapturedCases cases;
  CapturedKernel kernel;
  kernel.name = "a.k";
  kernel.kernel = "k";
  kernel.source = "/project/src/a.cl";
  kernel.definitions = {"N=\"4\""};
  kernel.include_dirs = {"/project/include", "/usr/include/x"};
  kernel.global_size = {64, 2};
  kernel.local_size = {8, 1};
  kernel.cases = {"/project/cases/a.k.1.json"};
  cases.kernels = {kernel};
  CHECK(cmake_text(cases, "/project") ==
        R"(# For /project/CMakeLists.txt: paths are relative to its folder.
gputest_add_kernel(a.k
  SOURCE "src/a.cl"
  KERNEL k
  GLOBAL_SIZE 64 2 LOCAL_SIZE 8 1
  DEFINITIONS "N=\"4\""
  INCLUDE_DIRECTORIES "include" "/usr/include/x"
  TEST_CASES "cases/a.k.[0-9]*.json")
)");
}

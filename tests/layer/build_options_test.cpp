#include "layer/opencl/builds/build_options.h"

#include "tests/catch.h"

#include <filesystem>

using gputest::layer::parse_options;
using gputest::layer::split_options;
using Words = std::vector<std::string>;

TEST_CASE("Options are parted at white space outside of quotes") {
  CHECK(split_options("").empty());
  CHECK(split_options("  -w\t-DX=1  ") == Words{"-w", "-DX=1"});
  CHECK(split_options("-DT=\"unsigned int\" '-I a b' -I c\\ d") ==
        Words{"-DT=unsigned int", "-I a b", "-I", "c d"});
  CHECK(split_options("-DS=\"\\\"x\\\"\"") == Words{"-DS=\"x\""});
  CHECK(split_options("-D E=\"\"") == Words{"-D", "E="});
}

TEST_CASE("Definitions, folders and the language are taken out, the rest stays") {
  const auto settings =
      parse_options("-cl-mad-enable -D A -DB=2 -I inc -I/abs -cl-std=CL2.0 -cl-opt-disable -D");
  CHECK(settings.definitions == Words{"A", "B=2", ""});
  CHECK(settings.cl_std == "CL2.0");
  CHECK(settings.build_options == Words{"-cl-mad-enable", "-cl-opt-disable"});
  const auto here = std::filesystem::current_path();
  CHECK(settings.include_dirs == std::vector<std::filesystem::path>{here / "inc", "/abs", here});
}

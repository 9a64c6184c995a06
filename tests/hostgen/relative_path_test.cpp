#include "hostgen/harness.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <fstream>

using gputest::hostgen::relative_path;
using gputest::tests::TemporaryFolder;
namespace fs = std::filesystem;

TEST_CASE("Paths are seen from a folder") {
  CHECK(relative_path("/a/b/c.cl", "/a/build/x") == "../../b/c.cl");
  CHECK(relative_path("/a/build/x", "/a/build/x") == ".");
  CHECK(relative_path("", "/a") == "");
  CHECK(relative_path("/usr/bin/gputest", "/a/build") == "/usr/bin/gputest");
  CHECK(relative_path("/a/./b/../c.cl", "/a") == "c.cl");
}

TEST_CASE("A build folder behind a link leads to the right source") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "project");
  fs::create_directories(folder.path() / "scratch/deep/build");
  fs::create_directory_symlink(folder.path() / "scratch/deep/build",
                               folder.path() / "project/build");
  std::ofstream(folder.path() / "project/k.cl") << "";
  const std::string seen =
      relative_path(folder.path() / "project/k.cl", folder.path() / "project/build");
  CHECK(fs::exists(folder.path() / "project/build" / seen));
  CHECK(seen == "../../../project/k.cl");
}

TEST_CASE("A source that is a link keeps its name") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "real.cl") << "";
  fs::create_symlink(folder.path() / "real.cl", folder.path() / "link.cl");
  CHECK(relative_path(folder.path() / "link.cl", folder.path()) == "link.cl");
}

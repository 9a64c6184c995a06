#include "driver/program_name.h"

#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <fstream>

using gputest::driver::name_of;
using gputest::tests::TemporaryFolder;

TEST_CASE("A program has its file's name, behind whatever starts it") {
  CHECK(name_of({"./build/suite", "--all"}).name == "suite");
  CHECK(name_of({"env", "A=1", "/bin/ls"}).name == "ls");
  CHECK(name_of({"env", "A=1", "/bin/ls"}).program == 2);
  CHECK(name_of({"timeout", "10", "nice", "-n", "5", "/bin/ls", "/tmp"}).name == "ls");
  CHECK(name_of({"env", "A=1"}).name == "env");
}

TEST_CASE("A script gives its name to what runs it") {
  const TemporaryFolder folder;
  const std::string script = (folder.path() / "suite.test.py").string();
  std::ofstream(script) << "print()\n";
  CHECK(name_of({"python3", "-X", "dev", script, "--all"}).name == "suite.test");
  CHECK(name_of({"python3", script}).script == std::filesystem::canonical(script));
  CHECK(name_of({"/nowhere/python3.11", script}).name == "suite.test");
  CHECK(name_of({"python3", "-m", "unittest.main", "x"}).name == "main");
  CHECK(name_of({"python3", "-c", "print()"}).name == "python3");
  CHECK(name_of({"./suite", script}).name == "suite");
}

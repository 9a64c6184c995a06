#include "runtime/machine/source_text.h"

#include "runtime/process/file_lock.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <filesystem>
#include <optional>
#include <thread>

using namespace gputest;

TEST_CASE("a source is read with its name, and without a byte order mark") {
  const tests::TemporaryFolder folder;
  const auto file = folder.write("a b.cl", "\xEF\xBB\xBFkernel void k() {}\r\n");
  CHECK(runtime::read_source(file) == "#line 1 \"" + file.string() + "\"\nkernel void k() {}\r\n");
  CHECK(runtime::read_source(folder.write("plain.cl", "// \xEF\xBB\xBF\n")) ==
        "#line 1 \"" + (folder.path() / "plain.cl").string() + "\"\n// \xEF\xBB\xBF\n");
  CHECK(runtime::read_source(file, "t.cl") == "#line 1 \"t.cl\"\nkernel void k() {}\r\n");
}

TEST_CASE("the file of a lock may go with it") {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "run.lock";
  {
    const runtime::FileLock lock(file, {}, true);
    CHECK(std::filesystem::exists(file));
  }
  CHECK(!std::filesystem::exists(file));
  std::optional<runtime::FileLock> first;
  first.emplace(file, nullptr, true);
  bool is_there = false;
  std::thread second([&] { // waits for a file that is removed
    const runtime::FileLock lock(file, [&] { first.reset(); }, true);
    is_there = std::filesystem::exists(file);
  });
  second.join();
  CHECK(is_there);
  CHECK(!std::filesystem::exists(file));
}

#include "runtime/machine/source_text.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

using namespace gputest;

TEST_CASE("a source is read with its name, and without a byte order mark") {
  const tests::TemporaryFolder folder;
  const auto file = folder.write("a b.cl", "\xEF\xBB\xBFkernel void k() {}\r\n");
  CHECK(runtime::read_source(file) == "#line 1 \"" + file.string() + "\"\nkernel void k() {}\r\n");
  CHECK(runtime::read_source(folder.write("plain.cl", "// \xEF\xBB\xBF\n")) ==
        "#line 1 \"" + (folder.path() / "plain.cl").string() + "\"\n// \xEF\xBB\xBF\n");
}

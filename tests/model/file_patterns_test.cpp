#include "model/file_patterns.h"

#include "tests/catch.h"

using gputest::model::matches_any;

TEST_CASE("Patterns match a whole name or its last part") {
  CHECK(matches_any({"x", "*/vendor/*"}, "src/vendor/a/b.h"));
  CHECK(matches_any({"*.h"}, "src/a.h"));
  CHECK(matches_any({"src/a.cl"}, "src/a.cl"));
  CHECK_FALSE(matches_any({"a", "src"}, "src/a.cl"));
  CHECK_FALSE(matches_any({}, "src/a.cl"));
}

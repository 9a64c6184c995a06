#include "frontend/edits.h"
#include "tests/catch.h"

using gputest::frontend::Edits;

TEST_CASE("insertions nest in the order in which they are registered") {
  Edits edits;
  edits.around(0, 5, "(", ")"); // outer
  edits.around(0, 1, "[", "]"); // inner, same beginning
  edits.around(4, 5, "{", "}"); // inner, same end
  CHECK(edits.apply("a + b") == "([a] + {b})");
}

TEST_CASE("what ends at an offset comes before what begins there") {
  Edits edits;
  edits.around(1, 2, "<", ">");
  edits.around(0, 1, "(", ")");
  CHECK(edits.apply("ab") == "(a)<b>");
}

TEST_CASE("replacements swap their characters and keep insertions around them") {
  Edits edits;
  edits.replace(0, 6, "{");
  edits.before(0, "/*1*/");
  edits.after(10, " }");
  CHECK(edits.apply("return f();") == "/*1*/{ f() };"); // offsets are the caller's business
  Edits none;
  CHECK(none.apply("unchanged") == "unchanged");
}

TEST_CASE("insertions at the end of the text") {
  Edits edits;
  edits.after(3, "!");
  edits.before(3, "?");
  CHECK(edits.apply("abc") == "abc!?");
}

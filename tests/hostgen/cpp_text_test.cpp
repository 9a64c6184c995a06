#include "hostgen/cpp_text.h"
#include "tests/catch.h"

#include <stdexcept>

using namespace gputest::hostgen;

TEST_CASE("A string literal gives its text back") {
  CHECK(string_literal("a b") == R"("a b")");
  CHECK(string_literal(R"(say "hi" \ bye)") == R"("say \"hi\" \\ bye")");
  CHECK(string_literal("größe") == "\"größe\"");
  CHECK(string_literal("two\nlines") == R"("two\nlines")");
  // A digit after an escape does not become part of it.
  CHECK(string_literal(std::string("\x01") + "7") == R"("\0017")");
}

TEST_CASE("A number literal gives its value back") {
  for (const double value : {0.0, 100.0, 1e-6, 0.1, 1e300, 99.5})
    CHECK(std::stod(number_literal(value)) == value);
}

TEST_CASE("A list is broken where it would not fit a line") {
  CHECK(braced_list({"1", "2"}, 20, 6) == "{1, 2}");
  CHECK(braced_list({"1", "2"}, 96, 2) == "{\n      1,\n      2,\n  }");
}

TEST_CASE("Initialisers without a value are left out") {
  DesignatedInitialisers fields(2);
  fields.add_text("name", "sum");
  fields.add_text("device", "");
  fields.add_list("local_size", {});
  fields.add_texts("definitions", {"A", "B=1"});
  CHECK(fields.text() == "  .name = \"sum\",\n  .definitions = {\"A\", \"B=1\"},");
}

TEST_CASE("A template is filled once, and completely") {
  CHECK(fill_template("a @x@ b@y@", {{"x", "@y@"}, {"y", ""}}) == "a @y@ b");
  CHECK_THROWS_AS(fill_template("@z@", {{"x", "1"}}), std::logic_error);
  CHECK_THROWS_AS(fill_template("a @x", {{"x", "1"}}), std::logic_error);
}

TEST_CASE("Only names of C++ functions are accepted as such") {
  for (const char* name : {"f", "sum_reference", "a::b::c", "::f"})
    CHECK(is_qualified_name(name));
  for (const char* name : {"", "1f", "f()", "a:b", "a::", "f g", "größe"})
    CHECK_FALSE(is_qualified_name(name));
}

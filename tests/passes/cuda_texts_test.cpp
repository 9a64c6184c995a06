// Texts that nvcc reads and Clang does not, and what Clang reads in their place.
#include "tests/catch.h"

#include "frontend/cuda/accepted_texts.h"
#include "frontend/cuda/refused.h"

#include <algorithm>
#include <cstddef>
#include <string>

using namespace gputest::frontend::cuda;

namespace {

// What Clang reads, if the text comes back from it. Marks are shown as ^ and ~.
std::string marked(const std::string& text) {
  std::string result = with_marks(text);
  CHECK(result.size() == text.size());
  CHECK(without_marks(result) == text);
  CHECK(with_marks(result) == result);
  std::ranges::replace(result, kJoinedSpace, '^');
  std::ranges::replace(result, kJoinedTab, '~');
  return result;
}

// The text with the values of the array behind the first @ given one by one.
std::string filled(std::string text) {
  const std::size_t at = text.find('@');
  text.erase(at, 1);
  const auto found = SizedAtRunTime::at(text, at);
  return found ? edited(text, {{found->begins, found->ends, found->text()}}) : "refused";
}

std::string type_at_brace(const std::string& text) {
  return std::string(type_of_launch_argument(text, text.find('{')));
}

} // namespace

TEST_CASE("Pragmas that no loop follows are hidden, and come back") {
  CHECK(marked("#pragma unroll\n{}") == "//ragma unroll\n{}");
  CHECK(marked("  # pragma unroll 4\nx;") == "  //^ragma unroll 4\nx;");
  CHECK(marked("#\t pragma nounroll\n{}") == "// ~ragma nounroll\n{}");
  CHECK(marked("#error don't\n#pragma unroll\n{'a'}") == "#error don't\n//ragma unroll\n{'a'}");
  CHECK(marked("#pragma unroll\n#pragma unroll 2\nfor (;;);") ==
        "//ragma unroll\n#pragma unroll 2\nfor (;;);");
  CHECK(marked("#pragma unroll // a\n{}") == "//ragma unroll // a\n{}");
}

TEST_CASE("Pragmas of loops, and what only looks like one, stay as they are") {
  for (const char* text :
       {"#pragma unroll\nfor (;;);", "# pragma unroll // a\nwhile (x);", "#pragma once\n{}",
        "#pragma unroll /* a\n b */ x = 1;", "printf(\"#pragma unroll 4\\n\");\nx;",
        "auto s = R\"(\n#pragma unroll\n{ })\";", "/*\n#pragma unroll\n*/ x;"})
    CHECK(marked(text) == text);
}

TEST_CASE("Angles of launches are joined, and those of operators are not") {
  CHECK(marked("k << <1, 1 >>\t>(p);") == "k <<<^1, 1 >>>~(p);");
  CHECK(marked("#define L(k) k << <1, 1 >> > \\\n (x)") == "#define L(k) k <<<^1, 1 >>>^ \\\n (x)");
  CHECK(marked("k << <{2, 1}, 1 >> >(p);") == "k <<<^{2, 1}, 1 >>>^(p);");
  for (const char* text :
       {"template <> S& operator<< <In<In<int>>>(S& s, const In<In<int>>& v) { return s; }",
        "operator<< <std::vector<std::vector<int>> >(os, v);", "\"k << <1, 1 >> >(p)\""})
    CHECK(marked(text) == text);
}

TEST_CASE("Braces of launches have a type") {
  CHECK(type_at_brace("k<<<{2, 1}, 1>>>(p);") == "dim3");
  CHECK(type_at_brace(with_marks("k << <{2, 1}, 1 >> >(p);")) == "dim3");
  CHECK(type_at_brace("k<<<1, 1, {}>>>(p);") == "size_t");
  CHECK(type_at_brace("k<<<1, 1, 0, {}>>>(p);") == "cudaStream_t");
  CHECK(type_at_brace("k<<<1, f{}>>>(p);").empty());
  CHECK(type_at_brace("k<<<1, 1>>>({});").empty());
}

TEST_CASE("Arrays whose size is no constant get their values") {
  CHECK(filled("int @a[n] = {1, 2};") == "int a[n] ; ::gputest_fill(&a[0], sizeof(a), {1, 2});");
  CHECK(filled("int @a[n]{};") == "int a[n]; ::gputest_fill(&a[0], sizeof(a));");
  CHECK(filled("char @a[n] = \"a\";") ==
        "char a[n] ; ::gputest_fill_text(&a[0], sizeof(a), \"a\");");
  CHECK(filled("x: ns::T<a, b> @a[n] = {}, c;") ==
        "x: ns::T<a, b> a[n] ; ::gputest_fill(&a[0], sizeof(a));  ns::T<a, b> c;");
  CHECK(filled("int @a[n][3] = {1, 2};") ==
        "int a[n][3] ; ::gputest_fill(&a[0][0], sizeof(a), {1, 2});");
  CHECK(filled("int @a[n][3] = {{1},\n{2}};") ==
        "int a[n][3] ; ::gputest_fill(&a[0][0], sizeof(a)); "
        "::gputest_fill(&a[0][0], sizeof(a[0]), {1})\n; "
        "::gputest_fill(&a[1][0], sizeof(a[1]), {2});");
  CHECK(filled("int @a[n][3] = {{1}, 2};") == "refused");
  CHECK(filled("int @a[n] = f();") == "refused");
}

#include "layer/sources/string_literals.h"

#include "tests/catch.h"

using gputest::layer::HostLanguage;
using gputest::layer::Literal;
using gputest::layer::literals_of;

namespace {

using Lines = std::vector<std::size_t>;

} // namespace

TEST_CASE("Literals of C that follow each other are one, each line with its own") {
  const auto all = literals_of("int x = 1'000; // \"no\"\n"
                               "const char* s = \"a {\\n\" /* \"no\" */\n"
                               "  \"b\\t\\\"}\\n\"\n"
                               "  \"c\";\n"
                               "char c = '\"';\n"
                               "f(\"d\", \"e\");\n",
                               HostLanguage::C);
  REQUIRE(all.size() == 3);
  CHECK(all[0].text == "a {\nb\t\"}\nc");
  CHECK(all[0].lines == Lines{2, 3, 4});
  CHECK(all[1].text == "d");
  CHECK(all[2].text == "e");
  CHECK(all[2].lines == Lines{6});
}

TEST_CASE("Raw literals of C++ keep what stands in them") {
  const auto all =
      literals_of("auto s = R\"cl(a\\n\n\"b\" )\" c\n)cl\";\nauto t = u8\"x\";", HostLanguage::C);
  REQUIRE(all.size() == 2);
  CHECK(all[0].text == "a\\n\n\"b\" )\" c\n");
  CHECK(all[0].lines == Lines{1, 2});
  CHECK(all[1].text == "x");
  CHECK(all[1].lines == Lines{4});
}

TEST_CASE("A word between literals parts them") {
  const auto all = literals_of("\"a\" PRIu64 \"b\"", HostLanguage::C);
  REQUIRE(all.size() == 2);
  CHECK(all[1].text == "b");
}

TEST_CASE("The string literals of Python sources are found") {
  const auto all = literals_of("# it's\n"
                               "A = \"\"\"\n"
                               "one \"two\"\n"
                               "\"\"\"\n"
                               "B = r'''a\\n'''\n"
                               "C = ('x\\n'\n"
                               "     \"y\")\n",
                               HostLanguage::Python);
  REQUIRE(all.size() == 3);
  CHECK(all[0].text == "\none \"two\"\n");
  CHECK(all[0].lines == Lines{2, 3});
  CHECK(all[1].text == "a\\n");
  CHECK(all[2].text == "x\ny");
  CHECK(all[2].lines == Lines{6, 7});
}

#include "report/common/text.h"
#include "report/comparison/result.h"
#include "tests/catch.h"

using namespace gputest::report;

TEST_CASE("Text is split at line ends of either kind", "[report]") {
  using Lines = std::vector<std::string_view>;
  CHECK(split_lines("") == Lines{""});
  CHECK(split_lines("a") == Lines{"a"});
  CHECK(split_lines("a\n") == Lines{"a"});
  CHECK(split_lines("\n") == Lines{""});
  CHECK(split_lines("a\r\n\nb") == Lines{"a", "", "b"});
}

TEST_CASE("clean() leaves UTF-8 alone", "[report]") {
  CHECK(clean("a\tb — ∎ café 😀") == "a\tb — ∎ café 😀");
  CHECK(clean("").empty());
  CHECK(clean("\xEF\xBB\xBF#include") == "#include"); // a byte order mark
}

TEST_CASE("clean() replaces what no output may hold", "[report]") {
  const std::string replaced = "\xEF\xBF\xBD";
  CHECK(clean("\xFF") == replaced);
  CHECK(clean("a\xC3") == "a" + replaced);                                       // cut short
  CHECK(clean("\xC0\xAF") == replaced + replaced);                               // overlong '/'
  CHECK(clean("\xED\xA0\x80") == replaced + replaced + replaced);                // surrogate
  CHECK(clean("\xF4\x90\x80\x80") == replaced + replaced + replaced + replaced); // above U+10FFFF
  CHECK(clean("\xE2\x80\xAE") == replaced); // right-to-left override
  CHECK(clean("\xEF\xBF\xBF") == replaced); // noncharacter
  CHECK(clean("\xC2\x9B") == replaced);     // C1 control: CSI
  CHECK(clean("\x1b[31m\n\x7f") == "␛[31m␊␡");
  CHECK(clean(std::string_view("\0", 1)) == "␀");
}

TEST_CASE("escape() is for text and for attributes", "[report]") {
  CHECK(escape("<a href=\"x\" b='y'>&amp;") ==
        "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;");
}

TEST_CASE("Names are shortened in the middle, by code points", "[report]") {
  CHECK(elide_middle("abcdef", 6) == "abcdef");
  CHECK(elide_middle("abcdefg", 6) == "abc…fg");
  CHECK(elide_middle("äöüßéñç", 5) == "äö…ñç");
  CHECK(elide_middle("abc", 1) == "…");
  CHECK(elide_middle("abc", 0).empty());
  CHECK(width_of("∎é") == 2);
}

TEST_CASE("A percentage never says more than was reached", "[report]") {
  CHECK(percent_text({.covered = 0, .total = 0}) == "–");
  CHECK(percent_text({.covered = 0, .total = 3}) == "0 %");
  CHECK(percent_text({.covered = 999, .total = 1000}) == "99 %");
  CHECK(percent_text({.covered = 3, .total = 3}) == "100 %");
}

TEST_CASE("Templates are filled in once", "[report]") {
  CHECK(fill_in("a{{x}}b{{y}}", {{"x", "{{y}}"}, {"y", "2"}}) == "a{{y}}b2");
  CHECK_THROWS_AS(fill_in("{{unknown}}", {}), std::logic_error);
  CHECK_THROWS_AS(fill_in("{{open", {}), std::logic_error);
}

TEST_CASE("a comparison of next to nothing finds nothing equal", "[report]") {
  ComparisonResult result{.first = {.kernel = "k", .source = "a.cl"},
                          .second = {.kernel = "k", .source = "b.cl"},
                          .inputs = 2};
  CHECK(std::string_view(verdict_of(result)) == "no difference found");
  result.enough = false;
  CHECK(std::string_view(verdict_of(result)) == "not enough compared");
  CHECK(comparison_html(result).find("not enough compared") != std::string::npos);
  result.proved = true; // however few were compared
  CHECK(std::string_view(verdict_of(result)) == "equal");
  result.difference = ComparedDifference{.kind = "output", .message = "y[0]", .file = "c.json"};
  CHECK(std::string_view(verdict_of(result)) == "differs");
}

// What messages say of where an unwritten value comes from.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

using namespace gputest::simulator;
using namespace gputest::simulator::tests;
using gputest::tests::ContainsSubstring;
using gputest::tests::EndsWith;

namespace {

std::vector<Finding> found(const std::string& body) {
  return run({.text = "kernel void k(global int* out, local int* tile) {\n"
                      "int i = get_global_id(0), l = get_local_id(0);\n" +
                      body + "\n}\n",
              .global_size = 16,
              .local_size = 8,
              .arguments = {buffer(std::vector<int>(64)), local(32)},
              .checks = {"uninitialized"}})
      .result.findings;
}

} // namespace

TEST_CASE("Where a value that nobody has written comes from") {
  // The declaration and the lines in between. All uses of one variable have one cause.
  const auto variable = found("int v;\nif (l > 3) v = 1;\nint w = v * 2;\nint x = w + l;\n"
                              "if (x > 5) out[0] = 3;\nif (x < 0) out[1] = 3;\nout[i] = x;");
  REQUIRE(variable.size() == 3);
  CHECK_THAT(variable[0].message,
             EndsWith("it decides what comes next; 'v' is declared at /t.cl:3:1, and its value "
                      "comes here by way of lines 4, 5, 6"));
  for (const auto& use : variable)
    CHECK(use.cause == "uses of 'v' of line 3, which nobody has written");
  // The element that was read.
  const auto element = found("int a[8];\nfor (int n = 0; n < l; ++n) a[n] = n;\nout[i] = a[l];");
  REQUIRE(element.size() == 1);
  CHECK_THAT(element[0].message, ContainsSubstring("a value of 'a' here"));
  CHECK_THAT(element[0].message, EndsWith("; it is element 0"));
  const auto local = found("if (l != 5) tile[l] = 1;\nbarrier(1);\nout[i] = tile[(l + 1) & 7];");
  REQUIRE(local.size() == 1);
  CHECK_THAT(local[0].message, EndsWith("; it is element 5"));
  // Of two variables of a type, the right one; or both, of which neither is it for sure.
  const auto one = found("int v, w;\nif (l < 4) v = l;\nout[i] = l < 4 ? v : 3;\nout[i] = w;");
  REQUIRE(one.size() == 1);
  CHECK_THAT(one[0].message, ContainsSubstring("a value of 'w' here"));
  const auto either = found("int v, w;\nout[i] = l < 4 ? v : w;");
  REQUIRE(!either.empty());
  for (const auto& use : either) {
    CHECK_THAT(use.message, ContainsSubstring("'v' or 'w'"));
    CHECK_THAT(use.message, !ContainsSubstring("declared"));
  }
}

TEST_CASE("A use in code of gputest's own is one of the code that calls it") {
  // Texts of variants begin with such code, before they name the source.
  for (const char* use : {"out[get_global_id(0)] = own(v);", "if (own(v) == 3)\n    out[0] = 1;"}) {
    const Ran ran = run({.text = std::string("#line 1 \"/gputest/flat.cl\"\n"
                                             "int own(int value) {\n"
                                             "  if (value == 0)\n"
                                             "    return 1;\n"
                                             "  return value;\n"
                                             "}\n"
                                             "#line 1 \"k.cl\"\n"
                                             "kernel void k(global int* out) {\n"
                                             "  int v;\n"
                                             "  ") +
                                 use + "\n}\n",
                         .arguments = {buffer(std::vector<int>(4))},
                         .checks = {"uninitialized"}});
    REQUIRE_FALSE(ran.result.findings.empty());
    for (const Finding& finding : ran.result.findings) {
      CHECK(finding.site.file == "k.cl");
      CHECK(finding.site.line == 3);
    }
  }
}

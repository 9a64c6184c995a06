// Values that nobody has written and that decide something, whatever becomes of it: each decision
// of each kind of memory is reported at its line, in OpenCL C and in CUDA. Then what messages name.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/simulator/simulated.h"

#include <string>
#include <vector>

using namespace gputest::simulator::tests;
using gputest::tests::ContainsSubstring;

namespace {

struct Place {
  std::string declared, value;
};

// The declaration is in line 7, and the decision begins in line 8.
Ran decided(bool cuda, const Place& place, const std::string& decision) {
  const std::string begin = cuda ? "struct S { int a; float b; };\n"
                                   "extern \"C\" __global__ void k(int* out, int n) {\n"
                                   "int l = threadIdx.x;\n__shared__ int t[16];\n"
                                   "__shared__ struct S s[16];\nint x = 0, y = 0;\n"
                                 : "struct S { int a; float b; };\n"
                                   "kernel void k(global int* out, int n) {\n"
                                   "int l = get_local_id(0);\nlocal int t[16];\n"
                                   "local struct S s[16];\nint x = 0, y = 0;\n";
  std::string text = decision;
  for (std::size_t at; (at = text.find("V")) != std::string::npos;)
    text.replace(at, 1, place.value);
  return run({.text = begin + place.declared + "\n" + text + "\nout[l] = 7;\n}\n",
              .global_size = 8,
              .local_size = 8,
              .arguments = {buffer(std::vector<int>(8)), value(1)},
              .checks = {"uninitialized"},
              .cuda = cuda});
}

std::vector<Place> places() {
  return {{"", "t[l]"},
          {"if (n > 5) s[l].a = 1;", "s[l].a"},
          {"int u;", "u"},
          {"int u[4];", "u[n]"},
          {"int u[4];", "u[2]"},
          {"struct S u;", "u.a"},
          {"int u; if (n > 5) u = 3;", "u"},
          {"struct S u; if (n > 5) u.a = 3;", "u.a"},
          {"struct S u[2]; if (n > 5) u[1].a = 3;", "u[1].a"},
          {"struct S w; w.b = 1; struct S u = w;", "u.a"}};
}

const std::vector<std::string> kDecisions{"if (V > 0)\nx = 1;",
                                          "if (V > 0)\nx = 1; else x = 2;",
                                          "if (V > 0) {}",
                                          "if (V > 0) { x = 1; } else { x = 1; }",
                                          "if (!V) y = 3;",
                                          "if (n == 1 && V > 0) x = 2;",
                                          "if (n == 7 || V > 0) x = 2;",
                                          "if (n > 0 && l >= 0) { if (V > 0) x = 2; }",
                                          "switch (V) { case 1: x = 2; break; case 2: x = 3; }",
                                          "switch (V) { case 1: ; }",
                                          "while (V > 0 && x < 3) ++x;",
                                          "for (int i = 0; i < V && i < 4; ++i) x += i;",
                                          "do { ++x; } while (x < (V & 3));",
                                          "x = V > 0 ? 1 : 2;",
                                          "x = V > 0 ? l : n;",
                                          "x = V > x ? V : x;",
                                          "x = V > 0 && n > 0;"};

} // namespace

TEST_CASE("Decisions on values that nobody has written") {
  for (const bool cuda : {false, true}) {
    std::size_t number = cuda ? 3 : 0; // others of both languages
    for (const Place& place : places())
      for (const std::string& decision : kDecisions) {
        if (number++ % gputest::tests::random_stride(7) != 0)
          continue;
        INFO((cuda ? "CUDA: " : "") << place.declared << "\n" << decision << "\n" << place.value);
        CHECK(decided(cuda, place, decision).findings() == "uninitialized 8\n");
      }
    std::string all;
    for (const std::string& decision : kDecisions)
      all += "{ " + decision + " }\n";
    CHECK(decided(cuda, {"struct S u; if (n > 0) u.a = l;", "u.a"}, all).findings().empty());
  }
}

TEST_CASE("Values that nobody has written and that decide nothing") {
  for (const bool cuda : {false, true})
    for (const std::string& text : {"x = V;", "x = V > 0;", "x = V + y * V;", "s[l].a = V;"})
      CHECK(decided(cuda, {"int u;", "u"}, text).findings().empty());
}

TEST_CASE("Findings name the variable that nobody has written, and its use") {
  const auto message = [](const std::string& declared, const std::string& text) {
    const Ran ran = decided(false, {declared, ""}, text);
    REQUIRE(ran.result.findings.size() == 1);
    return ran.result.findings[0].message;
  };
  CHECK_THAT(message("float best;", "if (l < best) out[l] = 1;"),
             ContainsSubstring("a value of 'best' here that nobody has written: it decides what"));
  CHECK_THAT(message("struct S best;", "x = best.a ? 1 : 2;"),
             ContainsSubstring("a value of 'best' here that nobody has written: it decides what"));
  CHECK_THAT(message("int at; if (l > 8) at = 1;", "out[at & 3] = 1;"),
             ContainsSubstring("a value of 'at' here that nobody has written: it is part of an"));
  CHECK_THAT(message("", "out[7 - l] = t[l];"),
             ContainsSubstring("a value of 't' here that nobody has written: it is stored"));
}

// Arguments that are null pointers: what comparing and accessing them does.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

using namespace gputest::simulator;
using namespace gputest::simulator::tests;
using gputest::tests::EndsWith;
using gputest::tests::StartsWith;

TEST_CASE("An access through a null pointer names the argument, as far as it is known") {
  const auto message = [](const std::string& body, std::vector<Given> arguments) {
    const Ran ran =
        run({.text = "int read(global int* at) { return *at; }\n"
                     "kernel void k(global int* out, global int* p, global int* q, int n) {\n" +
                     body + "\n}\n",
             .arguments = std::move(arguments),
             .checks = {"bounds"}});
    REQUIRE(ran.result.findings.size() == 1);
    CHECK(ran.result.findings[0].kind == "null_pointer");
    return ran.result.findings[0].object + "|" + ran.result.findings[0].message;
  };
  const auto memory = [] { return buffer(std::vector<int>(4)); };
  CHECK_THAT(message("out[0] = p[n];", {memory(), null_buffer(), memory(), value(1)}),
             StartsWith("p|") &&
                 EndsWith("reads 4 bytes through a null pointer, the argument 'p'"));
  // With any index.
  CHECK_THAT(message("p[n] = 1;", {memory(), null_buffer(), memory(), value(1 << 20)}),
             StartsWith("p|") &&
                 EndsWith("writes 4 bytes through a null pointer, the argument 'p'"));
  CHECK_THAT(message("out[0] = read(n ? p : q);", {memory(), memory(), null_buffer(), value(0)}),
             StartsWith("q|") && EndsWith("through a null pointer, the argument 'q'"));
  // What a pointer in memory has come from is not known.
  const std::string kept = "global int* volatile kept[2] = {p, q};\nout[0] = read(kept[n]);";
  CHECK_THAT(message(kept, {memory(), memory(), null_buffer(), value(1)}),
             StartsWith("|") && EndsWith("through a null pointer; the argument 'q' is null"));
  CHECK_THAT(message(kept, {memory(), null_buffer(), null_buffer(), value(1)}),
             EndsWith("through a null pointer; the arguments 'p', 'q' are null"));
  CHECK_THAT(
      message("global int* none = 0;\nout[0] = none[n];", {memory(), memory(), memory(), value(0)}),
      StartsWith("|") && EndsWith("reads 4 bytes through a null pointer"));
}

TEST_CASE("Pointers that are null are unequal to others, and nothing else happens") {
  const Ran ran =
      run({.text = "kernel void k(global int* out, constant int* p, global int* q) {\n"
                   "  out[0] = p ? p[0] : 7;\n  out[1] = q == NULL;\n"
                   "  if (q) q[0] = 3;\n}\n",
           .arguments = {buffer(std::vector<int>(2)), null_buffer(), buffer(std::vector<int>(1))},
           .checks = {"races", "barriers", "bounds", "uninitialized", "arithmetic"}});
  CHECK(ran.findings().empty());
  CHECK(ran.values<int>(0) == std::vector<int>{7, 0});
  CHECK(ran.values<int>(2) == std::vector<int>{3});
}

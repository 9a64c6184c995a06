#include "report/common/highlight.h"
#include "tests/catch.h"

using namespace gputest::report;

namespace {

// One letter for each byte: . plain, k, t, b, n(umber), s, c, p(reprocessor).
std::vector<std::string> letters(const std::vector<std::string>& lines) {
  std::vector<std::string> result;
  for (const auto& tokens : highlight(lines)) {
    std::string line;
    for (const Token token : tokens)
      line += ".ktbnscp"[static_cast<std::size_t>(token)];
    result.push_back(line);
  }
  return result;
}

std::string letters(const std::string& line) {
  return letters(std::vector{line}).front();
}

} // namespace

TEST_CASE("Words are told apart whole", "[report]") {
  CHECK(letters("__global float4 x") == "kkkkkkkk.tttttt..");
  CHECK(letters("float5 iffy image2d_t") == "............ttttttttt");
  CHECK(letters("barrier(0)") == "bbbbbbb.n.");
}

TEST_CASE("CUDA C++ has words of its own", "[report]") {
  CHECK(letters("__global__ void") == "kkkkkkkkkk.tttt");
  CHECK(letters("template <typename T>") == "kkkkkkkk..kkkkkkkk...");
  CHECK(letters("threadIdx.x + blockDim.x") == "bbbbbbbbb.....bbbbbbbb..");
  CHECK(letters("__shfl_down_sync(m, dim3)") == "bbbbbbbbbbbbbbbb....tttt.");
  CHECK(letters("cudaStream_t custom_t") == "tttttttttttt.........");
}

TEST_CASE("Numbers keep their exponents and suffixes", "[report]") {
  CHECK(letters("1e-6f+0x1p+3-.5") == "nnnnn.nnnnnn.nn");
  CHECK(letters("a1-2") == "...n");
}

TEST_CASE("Strings end at their own quote, or at the line's end", "[report]") {
  CHECK(letters("\"a\\\"b\" c") == "ssssss..");
  CHECK(letters("'\"' \"") == "sss.s");
  CHECK(letters("\"\\") == "ss");
}

TEST_CASE("Comments span lines and win over what they hold", "[report]") {
  CHECK(letters({"a /* if", "\"", "*/ if"}) == std::vector<std::string>{"..ccccc", "c", "cc.kk"});
  CHECK(letters("/*/ if */ a") == "ccccccccc..");
  CHECK(letters("\"//\" // if") == "ssss.ccccc");
}

TEST_CASE("A directive is highlighted beyond a backslash at the end of its line", "[report]") {
  CHECK(letters({" #define A \\", "if", "if"}) ==
        std::vector<std::string>{"pppppppppppp", "pp", "kk"});
}

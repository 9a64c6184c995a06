#include "runtime/cases/weak.h"

#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace gputest;
using namespace gputest::runtime;
using model::Scalar;

namespace {

using Numbers = std::vector<std::int32_t>;

Bytes bytes_of(const Numbers& numbers) {
  Bytes bytes(numbers.size() * sizeof(std::int32_t));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

Numbers numbers_of(const Bytes& bytes) {
  Numbers numbers(bytes.size() / sizeof(std::int32_t));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

// Why a kernel of an input buffer and an in-and-out buffer is weak.
std::string why(const Numbers& in, const Numbers& out,
                const std::function<void(const Numbers& in, Numbers& out)>& kernel,
                OtherIntegers integers = OtherIntegers::Occurring, unsigned* launches = nullptr) {
  const std::vector<model::Leaf> leaves = model::leaves_of(model::scalar_type(Scalar::Int));
  Numbers computed = out;
  kernel(in, computed);
  const Bytes first = bytes_of(in), before = bytes_of(out), after = bytes_of(computed);
  const std::vector<ObservedArgument> arguments{
      {.leaves = leaves, .element = 4, .varies = true, .before = first, .after = first},
      {.leaves = leaves,
       .element = 4,
       .output = true,
       .varies = true,
       .before = before,
       .after = after}};
  return why_weak(arguments, integers,
                  [&](const std::vector<Bytes>& memory) -> std::optional<std::vector<Bytes>> {
                    if (launches)
                      ++*launches;
                    const Numbers other = numbers_of(memory[0]);
                    for (const std::int32_t number : other)
                      if (number < 0 || number >= static_cast<std::int32_t>(out.size()))
                        return std::nullopt; // an index that is out of bounds
                    Numbers left = numbers_of(memory[1]);
                    kernel(other, left);
                    return std::vector<Bytes>{memory[0], bytes_of(left)};
                  });
}

constexpr const char* kOneValue = "each output is one value, or is what it was before";
constexpr const char* kNoInfluence = "no value that the kernel reads changes its outputs";

} // namespace

TEST_CASE("A case is weak whose outputs are one value, or what they were") {
  CHECK(why({0, 1, 2, 3}, {9, 8, 7, 6}, [](const Numbers&, Numbers& out) { out = {5, 5, 5, 5}; }) ==
        kOneValue);
  CHECK(why({0, 1, 2, 3}, {9, 8, 7, 6}, [](const Numbers&, Numbers&) {}) == kOneValue);
  CHECK(why({0, 1, 2, 3}, {9, 8, 7, 6}, [](const Numbers& in, Numbers& out) { out = in; }) == "");
}

TEST_CASE("A case is weak whose outputs stay what they are with other values") {
  CHECK(why({0, 1, 2, 3}, {9, 8, 7, 6}, [](const Numbers&, Numbers& out) { out = {1, 2, 3, 4}; }) ==
        kNoInfluence);
  // What no launch writes is not what it read.
  CHECK(why({0, 1, 2, 3}, {9, 8, 7, 6}, [](const Numbers&, Numbers& out) {
          out[0] = 1;
          out[1] = 2;
        }) == kNoInfluence);
  CHECK(why({0, 1, 2, 3}, {9, 8, 7, 5}, [](const Numbers& in, Numbers& out) {
          for (std::size_t i = 0; i < out.size(); ++i)
            out[i] += in[i];
        }) == "");
  // A sum and a maximum are of no order of the same values, but of which there are.
  CHECK(why({0, 1, 2, 3}, {9, 8, 7, 5}, [](const Numbers& in, Numbers& out) {
          out[0] = in[0] + in[1] + in[2] + in[3];
          out[1] = 1;
        }) == "");
  CHECK(why({0, 3, 2, 1}, {9, 8, 7, 5}, [](const Numbers& in, Numbers& out) {
          out[0] = *std::max_element(in.begin(), in.end());
          out[1] = 1;
        }) == "");
}

TEST_CASE("Whole numbers of other elements are indices that the kernel can have") {
  const auto gather = [](const Numbers& in, Numbers& out) {
    const Numbers table{10, 11, 12, 13};
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = table[static_cast<std::size_t>(in[i])];
  };
  unsigned launches = 0;
  CHECK(why({3, 0, 2, 1}, {0, 0, 0, 0}, gather, OtherIntegers::Occurring, &launches) == "");
  CHECK(launches == 1); // one is enough where it differs
  // There are none that could be told apart: nothing is said of it, and nothing launched.
  launches = 0;
  CHECK(why(
            {2, 2, 2, 2}, {4, 4, 4, 4}, [](const Numbers&, Numbers& out) { out = {1, 2, 3, 4}; },
            OtherIntegers::Occurring, &launches) == "");
  CHECK(launches == 0);
  CHECK(why(
            {2, 2, 2, 2}, {4, 4, 4, 4}, [](const Numbers&, Numbers& out) { out = {1, 2, 3, 4}; },
            OtherIntegers::Any) == kNoInfluence);
}

TEST_CASE("What had one value alone may matter") {
  CHECK(why({2, 2, 2, 2}, {9, 8, 7, 6}, [](const Numbers& in, Numbers& out) {
          for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = static_cast<std::int32_t>(i) * in[0];
        }) == "");
}

TEST_CASE("Floating-point numbers of any size get other values") {
  const std::vector<model::Leaf> leaves = model::leaves_of(model::scalar_type(Scalar::Float));
  for (const float number : {0.0F, 1e9F, -1e9F, INFINITY, NAN}) {
    Bytes bytes(sizeof number);
    std::memcpy(bytes.data(), &number, sizeof number);
    const Bytes zeros = bytes_of({0, 0}), after = bytes_of({1, 2});
    const std::vector<ObservedArgument> arguments{
        {.leaves = leaves, .element = 4, .varies = true, .before = bytes, .after = bytes},
        {.leaves = leaves, .element = 4, .output = true, .before = zeros, .after = after}};
    unsigned launches = 0;
    CHECK(why_weak(arguments, OtherIntegers::Occurring, [&](const std::vector<Bytes>& memory) {
            ++launches;
            return std::optional(std::vector<Bytes>{memory[0], after});
          }) == kNoInfluence);
    CHECK(launches == 4);
  }
}

TEST_CASE("Whole numbers by value are sizes, and what is only written is not read") {
  model::Argument argument;
  argument.type = model::scalar_type(Scalar::Int);
  CHECK(!may_vary(argument));
  argument.type = model::scalar_type(Scalar::Float);
  CHECK(may_vary(argument));
  argument.type = model::scalar_type(Scalar::Int);
  argument.pointer = true;
  CHECK(may_vary(argument));
  argument.access = model::Access::Write;
  CHECK(!may_vary(argument));
}

// Random kernels over buffers that may be null, and over a global offset, against the same
// expressions computed here.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/simulator/simulated.h"

#include <array>
#include <cstdint>
#include <random>

using namespace gputest::simulator;
using namespace gputest::simulator::tests;
using gputest::tests::random_seeds;

namespace {

constexpr std::size_t kBuffers = 3, kElements = 5;

// What an expression is about.
struct Item {
  std::array<bool, kBuffers> null{};
  std::uint32_t id = 0, offset = 0, size = 0, group = 0, local = 0; // get_…(0)
};

std::uint32_t element(std::size_t buffer, std::uint32_t index) {
  return static_cast<std::uint32_t>(7 + 10 * buffer) * (index % kElements + 1);
}

// A random expression of 32 bits: its text, and its value.
class Expression {
public:
  Expression(std::mt19937& random, unsigned depth) : kind_(random() % (depth == 0 ? 4 : 8)) {
    number_ = random() % 20;
    buffer_ = random() % kBuffers;
    for (unsigned i = 0; kind_ >= 4 && i < 3; ++i)
      parts_.emplace_back(random, depth - 1);
  }

  std::string text() const {
    const std::string buffer = "b" + std::to_string(buffer_);
    switch (kind_) {
    case 0:
      return std::to_string(number_) + "u";
    case 1:
      return "(uint)" + std::string(kIds.at(number_ % kIds.size())) + "(0)";
    case 2:
      return "(" + buffer + (number_ % 2 == 0 ? " == NULL)" : " ? 3u : 4u)");
    case 3: // a pointer that is tested by its own value
      return "((ulong)" + buffer + " == 0 ? 1u : 2u)";
    case 4:
      return "(" + buffer + " ? " + buffer + "[(" + parts_[0].text() + ") % " +
             std::to_string(kElements) + "] : " + parts_[1].text() + ")";
    case 5:
      return "(!" + buffer + " && " + parts_[0].text() + " > " + parts_[1].text() + " ? " +
             parts_[2].text() + " : 5u)";
    case 6:
      return "(" + parts_[0].text() + " * 3 + " + parts_[1].text() + ")";
    default:
      return "first(" + buffer + ", " + parts_[0].text() + ")";
    }
  }

  std::uint32_t value(const Item& item) const {
    const bool null = item.null.at(buffer_);
    const std::array ids{item.id, item.offset, item.size, item.group, item.local};
    switch (kind_) {
    case 0:
      return number_;
    case 1:
      return ids.at(number_ % ids.size());
    case 2:
      return number_ % 2 == 0 ? null : null ? 4 : 3;
    case 3:
      return null ? 1 : 2;
    case 4:
      return null ? parts_[1].value(item) : element(buffer_, parts_[0].value(item));
    case 5:
      return null && parts_[0].value(item) > parts_[1].value(item) ? parts_[2].value(item) : 5;
    case 6:
      return parts_[0].value(item) * 3 + parts_[1].value(item);
    default:
      return null ? parts_[0].value(item) : element(buffer_, 0);
    }
  }

private:
  static constexpr std::array kIds{"get_global_id", "get_global_offset", "get_global_size",
                                   "get_group_id", "get_local_id"};
  unsigned kind_;
  std::uint32_t number_ = 0;
  std::size_t buffer_ = 0;
  std::vector<Expression> parts_;
};

} // namespace

TEST_CASE("Random kernels with null pointers and global offsets compute what is computed here") {
  for (const std::size_t seed : random_seeds(6)) {
    INFO("seed " << seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const Expression expression(random, 4);
    Run plain{.text = "uint first(global const uint* b, uint otherwise) {\n"
                      "  if (b == NULL)\n    return otherwise;\n  return b[0];\n}\n"
                      "kernel void k(global uint* out, global const uint* b0,\n"
                      "              global const uint* b1, global const uint* b2) {\n"
                      "  out[get_global_id(0) - get_global_offset(0)] = " +
                      expression.text() + ";\n}\n",
              .global_size = 6,
              .local_size = 3,
              .checks = seed % 2 == 0 ? std::vector<std::string>{}
                                      : std::vector<std::string>{"bounds", "races"}};
    std::vector<Run> runs;
    for (unsigned nulls = 0; nulls < 1U << kBuffers; ++nulls) {
      Run& run = runs.emplace_back(plain);
      run.global_offset = random() % 3 == 0 ? 0 : random() % 50;
      run.arguments = {buffer(std::vector<std::uint32_t>(plain.global_size))};
      for (std::size_t i = 0; i < kBuffers; ++i) {
        std::vector<std::uint32_t> elements;
        for (std::uint32_t k = 0; k < kElements; ++k)
          elements.push_back(element(i, k));
        run.arguments.push_back((nulls >> i & 1) != 0 ? null_buffer() : buffer(elements));
      }
    }
    const std::vector<Ran> ran = run_all(runs);
    for (unsigned nulls = 0; nulls < runs.size(); ++nulls) {
      INFO("nulls " << nulls << ", offset " << runs[nulls].global_offset);
      CHECK(ran[nulls].findings().empty());
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < plain.global_size; ++i) {
        Item item{.id = static_cast<std::uint32_t>(runs[nulls].global_offset) + i,
                  .offset = static_cast<std::uint32_t>(runs[nulls].global_offset),
                  .size = 6,
                  .group = i / 3,
                  .local = i % 3};
        for (std::size_t k = 0; k < kBuffers; ++k)
          item.null.at(k) = (nulls >> k & 1) != 0;
        expected.push_back(expression.value(item));
      }
      CHECK(ran[nulls].values<std::uint32_t>(0) == expected);
    }
  }
}

// Kernels of a fixed seed whose accesses are known without running them: addresses are numbers made
// of ids and counters. plain_memory.h counts what their warps do.
#pragma once

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace gputest::memory::tests {

struct PlainItem {
  std::uint32_t group = 0, local = 0, size = 0; // in one dimension; size: of a group
  std::array<std::uint32_t, 8> counters{};      // of the loops that it is in

  std::uint32_t global() const { return group * size + local; }
};

struct PlainNumber {
  std::string text;
  std::function<std::uint32_t(const PlainItem&)> of;
};

struct PlainStatement {
  enum class Kind { Read, Write, Change, Update, If, Loop, Barrier };
  Kind kind = Kind::Barrier;
  unsigned line = 0;
  unsigned object = 0;    // of kObjects
  std::uint32_t size = 0; // bytes of an element
  PlainNumber number{};   // the element; the condition; how often a loop goes round
  unsigned counter = 0;   // of the loop
  std::vector<PlainStatement> body{}, otherwise{};
};

class PlainKernel {
public:
  static constexpr std::array kObjects{"a", "b", "c", "t"}; // the last is local
  static constexpr std::uint32_t kBytes = 4096, kLocalBytes = 1024;

  explicit PlainKernel(std::uint64_t seed) : random_(seed) {
    text_ = "kernel void k(volatile global uint* a, volatile global uint* b,\n"
            "              volatile global uint* c) {\n"
            "  volatile local uint t[256]; uint v = 1;\n"
            "  const uint g = get_global_id(0), l = get_local_id(0), n = get_group_id(0);\n";
    lines_ = 4;
    statements_ = block(0, 3 + draw(5));
    text_ += "}\n";
  }

  const std::string& text() const { return text_; }
  const std::vector<PlainStatement>& statements() const { return statements_; }

private:
  using Kind = PlainStatement::Kind;

  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }

  void line(unsigned depth, const std::string& text) {
    text_ += std::string(2 * depth + 2, ' ') + text + "\n";
    ++lines_;
  }

  PlainNumber leaf() {
    switch (draw(loops_ == 0 ? 5 : 7)) {
    case 0:
    case 1:
      return {"l", [](const PlainItem& item) { return item.local; }};
    case 2:
      return {"g", [](const PlainItem& item) { return item.global(); }};
    case 3:
      return {"n", [](const PlainItem& item) { return item.group; }};
    case 4: {
      const std::uint32_t value = draw(40);
      return {fmt::format("{}u", value), [value](const PlainItem&) { return value; }};
    }
    default: {
      const unsigned counter = draw(loops_);
      return {fmt::format("i{}", counter),
              [counter](const PlainItem& item) { return item.counters[counter]; }};
    }
    }
  }

  PlainNumber number(unsigned depth = 0) {
    if (depth == 2 || draw(4) == 0)
      return leaf();
    const PlainNumber left = number(depth + 1), right = number(depth + 1);
    const auto both = [&](const char* text, auto compute) {
      return PlainNumber{fmt::format("({} {} {})", left.text, text, right.text),
                         [left, right, compute](const PlainItem& item) {
                           return compute(left.of(item), right.of(item));
                         }};
    };
    switch (draw(6)) {
    case 0:
    case 1:
      return both("+", [](std::uint32_t a, std::uint32_t b) { return a + b; });
    case 2:
    case 3:
      return both("*", [](std::uint32_t a, std::uint32_t b) { return a * b; });
    case 4:
      return both("^", [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
    default:
      return both("- 7u *", [](std::uint32_t a, std::uint32_t b) { return a - 7 * b; });
    }
  }

  PlainStatement access(unsigned depth) {
    PlainStatement made{.kind = std::array{Kind::Read, Kind::Read, Kind::Write, Kind::Write,
                                           Kind::Change, Kind::Update}[draw(6)],
                        .line = lines_ + 1,
                        .object = draw(4)};
    constexpr std::array kTypes{"uchar", "uint", "uint", "ulong", "uint4"};
    constexpr std::array kSizes{1U, 4U, 4U, 8U, 16U};
    const unsigned type = made.kind == Kind::Update ? 1 : draw(kTypes.size());
    made.size = kSizes[type];
    const bool local = made.object == 3;
    const std::uint32_t elements = (local ? kLocalBytes : kBytes) / made.size;
    const PlainNumber index = number();
    made.number = {"",
                   [index, elements](const PlainItem& item) { return index.of(item) % elements; }};
    const std::string place =
        fmt::format("((volatile {} {}*){})[{} % {}u]", local ? "local" : "global", kTypes[type],
                    kObjects[made.object], index.text, elements);
    const std::string value = fmt::format("({})(v)", kTypes[type]);
    switch (made.kind) {
    case Kind::Read:
      line(depth, fmt::format("v += {}{};", place, made.size == 16 ? ".y" : ""));
      break;
    case Kind::Write:
      line(depth, fmt::format("{} = {};", place, value));
      break;
    case Kind::Change:
      line(depth, fmt::format("{} += {};", place, value));
      break;
    default:
      line(depth, fmt::format("{}atomic_add(&{}, 1u);", draw(2) == 0 ? "v += " : "", place));
    }
    return made;
  }

  PlainStatement statement(unsigned depth) {
    const unsigned drawn = draw(depth > 2 ? 6 : 10);
    if (depth == 0 && drawn == 0) {
      line(depth, "barrier(CLK_LOCAL_MEM_FENCE);");
      return {.kind = Kind::Barrier, .line = lines_};
    }
    if (drawn < 6)
      return access(depth);
    PlainStatement made{.kind = drawn < 8 ? Kind::If : Kind::Loop, .line = lines_ + 1};
    const std::uint32_t range = 1 + draw(5);
    const PlainNumber number = this->number();
    if (made.kind == Kind::If) {
      made.number = {"", [number, range](const PlainItem& item) -> std::uint32_t {
                       return number.of(item) % 8 < range;
                     }};
      line(depth, fmt::format("if ({} % 8u < {}u) {{", number.text, range));
      made.body = block(depth + 1, 1 + draw(3));
      if (draw(2) == 0) {
        line(depth, "} else {");
        made.otherwise = block(depth + 1, 1 + draw(3));
      }
    } else {
      made.number = {
          "", [number, range](const PlainItem& item) { return number.of(item) % (range + 1); }};
      made.counter = loops_;
      line(depth, fmt::format("for (uint i{0} = 0; i{0} < {1} % {2}u; ++i{0}) {{", loops_,
                              number.text, range + 1));
      ++loops_;
      made.body = block(depth + 1, 1 + draw(3));
      --loops_;
    }
    line(depth, "}");
    return made;
  }

  std::vector<PlainStatement> block(unsigned depth, unsigned count) {
    std::vector<PlainStatement> all;
    for (unsigned i = 0; i < count; ++i)
      all.push_back(statement(depth));
    return all;
  }

  std::mt19937_64 random_;
  std::string text_;
  unsigned lines_ = 0, loops_ = 0;
  std::vector<PlainStatement> statements_;
};

} // namespace gputest::memory::tests

#include "tests/passes/random_program.h"

#include <fmt/format.h>
#include <random>

namespace gputest::tests {
namespace {

// Decisions are uniform wherever a barrier depends on them, and work-items touch nothing of each
// other's but between barriers, so that the results are the same on every device.
class BarrierProgramGenerator {
public:
  explicit BarrierProgramGenerator(std::uint32_t seed) : random_(seed) {}

  std::string run() {
    std::string body;
    for (unsigned i = 0, count = 1 + pick(2); i < count; ++i)
      body += statement(1);
    if (pick(3) == 0) // no barrier follows
      body += fmt::format("  if ({}) return;\n", varying());
    if (pick(2))
      body += plain(1);
    return "kernel void test(global uint* out, global const uint* in) {\n"
           "  const uint i = get_global_id(0), lid = get_local_id(0);\n"
           "  local uint part[256];\n"
           "  uint x = in[i], y = lid;\n" +
           body + "}\n";
  }

private:
  unsigned pick(unsigned below) {
    return std::uniform_int_distribution<unsigned>(0, below - 1)(random_);
  }

  std::string value() {
    switch (pick(7)) {
    case 6:
      return "(in[511u - i] - x)";
    case 0:
      return "x";
    case 1:
      return "y";
    case 2:
      return fmt::format("(x * {}u + y)", 3 + pick(5));
    case 3:
      return "(x ^ (y >> 1))";
    case 4:
      return "in[i]";
    default:
      return fmt::format("{}u", pick(9));
    }
  }

  std::string comparison() {
    static const char* const kOperators[] = {"<", ">", "==", "!=", "<=", ">="};
    return fmt::format("({} & {}u) {} {}u", value(), 3 + 4 * pick(4), kOperators[pick(6)], pick(6));
  }

  // Different from one work-item to the next.
  std::string varying() {
    switch (pick(6)) {
    case 4:
    case 5:
      return "in[i] < in[511u - i]";
    case 0:
      return fmt::format("{} && {}", comparison(), comparison());
    case 1:
      return fmt::format("{} || {}", comparison(), comparison());
    default:
      return comparison();
    }
  }

  // The same for all work-items of a group: known to be, or only by what memory holds.
  std::string uniform() {
    switch (pick(6)) {
    case 0:
      return fmt::format("get_group_id(0) {} {}u", pick(2) ? "!=" : "==", pick(3));
    case 1:
      return fmt::format("get_local_size(0) >= {}u", 64u << pick(3));
    case 2:
      return "i < get_global_size(0)"; // all, not proved
    case 3:
      return fmt::format("in[get_group_id(0)] {} {}u", pick(2) ? ">" : "<=", pick(4));
    case 4:
      return fmt::format("in[{}] < {}u", pick(4), pick(6));
    default:
      return fmt::format("i < {}u && in[0] < 3u", 512 + pick(100));
    }
  }

  std::string count() {
    switch (pick(4)) {
    case 0:
      return fmt::format("{}u", pick(4));
    case 1:
      return "in[get_group_id(0)]";
    case 2:
      return "(get_group_id(0) & 1u)";
    default:
      return fmt::format("in[{}]", pick(4));
    }
  }

  std::string exchange() {
    if (pick(2))
      return "  barrier(CLK_LOCAL_MEM_FENCE);\n";
    const unsigned other = 1 + pick(3);
    return fmt::format("  part[lid] = {};\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                       "  {} {}= part[lid ^ {}u];\n  barrier(CLK_LOCAL_MEM_FENCE);\n",
                       value(), pick(2) ? "x" : "y", pick(2) ? "+" : "^", other);
  }

  std::string store() {
    static const char* const kOperators[] = {"=", "+=", "^=", "-="};
    return fmt::format("out[i] {} {};", kOperators[pick(4)], value());
  }

  // Without barriers.
  std::string plain(int depth) {
    switch (pick(depth > 0 ? 8 : 3)) {
    case 0:
      return fmt::format("  {}\n", store());
    case 1:
      return fmt::format("  x = {} + 1u;\n", value());
    case 2:
      return fmt::format("  y ^= {};\n", value());
    case 3:
    case 4: // as in the simplest instance of what compilers have got wrong
      return fmt::format("  if ({}) {} else {}\n", varying(), store(), store());
    case 5:
      return fmt::format("  if ({}) {{\n{}{}  }}\n", varying(), plain(depth - 1), plain(depth - 1));
    case 6: {
      const unsigned n = next_++;
      return fmt::format("  for (uint k{0} = 0; k{0} < ({1} & 3u); ++k{0}) {{\n{2}  }}\n", n,
                         value(), plain(depth - 1));
    }
    default: {
      const unsigned n = next_++;
      return fmt::format("  {{ uint w{0} = {1} & 3u; while (w{0} > 0u) {{\n{2}  --w{0}; }} }}\n", n,
                         value(), plain(depth - 1));
    }
    }
  }

  std::string block(int depth) {
    std::string text;
    for (unsigned i = 0, count = 1 + pick(3); i < count; ++i)
      text += statement(depth);
    return text;
  }

  // A compiler may copy what follows for each condition that holds a barrier.
  bool may_branch() { return branches_ < 2; }

  std::string statement(int depth) {
    if (depth == 0)
      return pick(3) == 0 ? exchange() : plain(1);
    switch (pick(9)) {
    case 0:
      return exchange();
    case 1:
    case 2:
      return plain(depth);
    case 3:
    case 4:
    case 5: {
      if (!may_branch())
        return plain(depth);
      ++branches_;
      std::string text = fmt::format("  if ({}) {{\n{}{}  }}\n", uniform(), exchange(),
                                     pick(2) ? plain(1) : block(depth - 1));
      if (pick(3) == 0)
        text += fmt::format("  else {{\n{}  }}\n", pick(2) ? plain(1) : exchange());
      return text;
    }
    case 6: {
      const unsigned n = next_++;
      const std::string limit = count();
      std::string inside = exchange() + block(depth - 1);
      if (pick(4) == 0)
        inside += fmt::format("  if ({}) break;\n", uniform());
      return fmt::format("  for (uint k{0} = 0; k{0} < {1}; ++k{0}) {{\n{2}  }}\n", n, limit,
                         inside);
    }
    case 7: {
      const unsigned n = next_++;
      return fmt::format("  {{ uint w{0} = {1}; while (w{0} > 0u) {{\n{2}{3}  --w{0}; }} }}\n", n,
                         count(), exchange(), plain(1));
    }
    default:
      if (!may_branch())
        return exchange();
      ++branches_;
      return pick(2) ? fmt::format("  if ({}) return;\n", uniform()) + exchange()
                     : fmt::format("  switch (get_group_id(0)) {{\n  case 0:\n{}  break;\n"
                                   "  default:\n{}  }}\n",
                                   exchange(), plain(1));
    }
  }

  std::mt19937 random_;
  unsigned next_ = 0, branches_ = 0;
};

} // namespace

std::string random_barriers(std::uint32_t seed) {
  return BarrierProgramGenerator(seed).run();
}

} // namespace gputest::tests

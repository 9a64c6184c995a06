// Random kernels of two bytes, p and q: so all inputs that there are can be tried, as the
// work-items of one launch.
#pragma once

#include "testgen/inputs/random.h"

#include <array>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace gputest::testgen::tests {

// The languages that it is written in. Warps: CUDA, and its threads tell each other values; a block
// has one pair of bytes then.
enum class Dialect { OpenCl, Cuda, Warps };

// Where the kernel has the bytes from. Lines and columns of its decisions are the same.
enum class Reads {
  Buffer,   // in[2 * i] and in[2 * i + 1] of work-item i, or of block i
  Arguments // uchar p, uchar q
};

// Whole numbers of all widths, functions, arrays, and loops that end: nothing in it is undefined
// where whole numbers wrap around.
class RandomProgram {
public:
  explicit RandomProgram(std::uint64_t seed, Dialect dialect = Dialect::OpenCl)
      : random_(seed), dialect_(dialect) {
    functions_.push_back(function("f"));
    functions_.push_back(function("g"));
    known_ = {"p", "q", "x", "y", "z", "w"};
    in_kernel_ = true;
    const std::size_t statements =
        dialect == Dialect::Warps ? 1 + random_.below(3) : 3 + random_.below(4);
    if (dialect == Dialect::Warps)
      known_.insert(known_.end(), {"t", "t"});
    for (std::size_t i = 0; i < statements; ++i) {
      if (dialect == Dialect::Warps)
        body_ += exchange();
      body_ += statement(2, "  ");
    }
  }

  std::string text(Reads reads) const {
    const bool cuda = dialect_ != Dialect::OpenCl, warps = dialect_ == Dialect::Warps;
    std::string text =
        cuda
            ? "typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned uint;\n"
            : "";
    for (const std::string& function : functions_)
      text += (cuda ? "__device__ " : "") + function;
    const std::string kernel = cuda ? "__global__" : "kernel", global = cuda ? "" : "global ";
    text +=
        reads == Reads::Buffer
            ? fmt::format("{} void k({}const uchar* in, {}long* out) {{\n", kernel, global, global)
            : fmt::format("{} void k(const uchar p, const uchar q, {}long* out) {{\n", kernel,
                          global);
    text += cuda ? "  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 : "  const size_t i = get_global_id(0);\n";
    const char* const from = warps ? "blockIdx.x" : "i";
    text += reads == Reads::Buffer
                ? fmt::format("  const uchar p = in[2 * {0}], q = in[2 * {0} + 1];\n", from)
                : "\n";
    if (warps)
      text += "  const int t = threadIdx.x;\n";
    return text +
           "  int x = p, a[4] = {1, q, 3, p}, fuel = 12;\n  uint y = q;\n  short z = p - q;\n"
           "  long w = 7;\n" +
           body_ + "  out[i] = x + (long)y * 3 + z * 5 + w * 7 + a[p & 3];\n}\n";
  }

private:
  bool once_in(unsigned n) { return random_.once_in(n); }
  template <std::size_t size> std::string one_of(const std::array<const char*, size>& texts) {
    return texts[random_.below(size)];
  }
  std::string variable() { return known_[random_.below(known_.size())]; }
  std::string changed() { // a variable that may be assigned
    return in_kernel_ ? one_of(std::array{"x", "y", "z", "w"}) : std::string("r");
  }

  std::string number() {
    return std::to_string(random_.once_in(3) ? random_.below(300) : random_.below(8));
  }

  std::string leaf() {
    switch (random_.below(8)) {
    case 0:
      return number();
    case 1:
      return fmt::format("(int)({})", variable());
    case 2:
      if (in_kernel_)
        return fmt::format("a[{} & 3]", variable());
      return variable();
    default:
      return variable();
    }
  }

  std::string expression(unsigned depth) {
    if (depth == 0 || once_in(6))
      return leaf();
    const std::string a = expression(depth - 1), b = expression(depth - 1);
    static const char* const kForms[] = {"({} - {})",
                                         "({} * {})",
                                         "({} & {})",
                                         "({} | {})",
                                         "({} ^ {})",
                                         "({} << ({} & 7))",
                                         "({} >> ({} & 7))",
                                         "({} / (({} & 7) + 1))",
                                         "({} % (({} & 15) + 1))"};
    switch (const std::size_t form = random_.below(14); form) {
    case 9:
      return fmt::format("({} ? {} : {})", condition(0), a, b);
    case 10:
      return fmt::format("({}){}", one_of(std::array{"uchar", "char", "ushort", "uint", "long"}),
                         a);
    case 11:
      if (in_kernel_)
        return fmt::format("{}({}, {})", once_in(2) ? "f" : "g", a, b);
      return fmt::format("min((int){}, (int){})", a, b);
    case 12:
      return fmt::format("(-{})", a);
    case 13:
      return fmt::format("({} + {})", a, b);
    default:
      return fmt::format(fmt::runtime(kForms[form]), a, b);
    }
  }

  std::string condition(unsigned depth) {
    if (depth > 0 && once_in(2)) {
      const std::string a = condition(depth - 1), b = condition(depth - 1);
      return once_in(4) ? fmt::format("!({})", a)
                        : fmt::format("({} {} {})", a, once_in(2) ? "&&" : "||", b);
    }
    const std::string a = expression(depth),
                      how = one_of(std::array{"<", "<=", ">", ">=", "==", "!="}), b = leaf();
    return fmt::format("{} {} {}", a, how, b);
  }

  std::string assignment() {
    const std::string to = changed();
    switch (random_.below(5)) {
    case 0:
      return fmt::format("{}{};", to, once_in(2) ? "++" : "--");
    case 1:
      if (in_kernel_) {
        const std::string at = variable(), value = expression(1);
        return fmt::format("a[{} & 3] = {};", at, value);
      }
      [[fallthrough]];
    case 2: {
      const std::string how = one_of(std::array{"+", "-", "^", "|", "&", "*"});
      return fmt::format("{} {}= {};", to, how, expression(1));
    }
    default:
      return fmt::format("{} = {};", to, expression(2));
    }
  }

  std::string block(unsigned depth, const std::string& indent) {
    std::string text;
    for (std::size_t left = 1 + random_.below(2); left > 0; --left)
      text += statement(depth, indent);
    return text;
  }

  std::string jump(const std::string& indent) {
    const std::string when = condition(1);
    return fmt::format("{}if ({}) {};\n", indent, when, once_in(2) ? "break" : "continue");
  }

  // With `break` and `continue` in some of them.
  std::string loop(unsigned depth, const std::string& indent) {
    const std::string deeper = indent + "  ", counter = fmt::format("j{}", loops_++);
    std::string head, end;
    bool counts = true;
    switch (random_.below(6)) {
    case 0:
      head = fmt::format("for (int {0} = 0; {0} < ({1} & 7); ++{0})", counter, expression(1));
      break;
    case 1: {
      const std::string from = number();
      head =
          fmt::format("for (uint {0} = {1}; {0} > {2}; {0} /= 2)", counter, from, random_.below(3));
      break;
    }
    case 2: {
      const std::string from = variable(), to = number();
      head = fmt::format("for (int {0} = ({1} & 15) + {2}; {0} >= {2}; {0} -= {3})", counter, from,
                         to, 1 + random_.below(3));
      break;
    }
    case 3: {
      const std::size_t from = random_.below(3), step = 1 + random_.below(4);
      head = fmt::format("for (uchar {0} = {1}; {0} < {2} && {0} < 9; {0} += {3})", counter, from,
                         variable(), step);
      break;
    }
    case 4:
      if (in_kernel_) {
        head = fmt::format("while ({} && fuel-- > 0)", condition(1));
        counts = false;
        break;
      }
      [[fallthrough]];
    default:
      if (!in_kernel_) {
        head = fmt::format("for (int {0} = 3; {0} > 0; --{0})", counter);
        break;
      }
      head = "do";
      end = fmt::format(" while ({} && fuel-- > 0);", condition(1));
      counts = false;
      break;
    }
    if (counts)
      known_.push_back(counter);
    std::string inner = block(depth - 1, deeper);
    if (once_in(3))
      inner += jump(deeper);
    if (once_in(3))
      inner += fmt::format("{}{}\n", deeper, assignment());
    if (counts)
      known_.pop_back();
    return fmt::format("{}{} {{\n{}{}}}{}\n", indent, head, inner, indent, end);
  }

  std::string choice(unsigned depth, const std::string& indent) {
    std::string text = fmt::format("{}switch ({}) {{\n", indent, expression(1));
    const std::size_t first = random_.below(4);
    for (std::size_t label = 0; label < 3; ++label) {
      text += fmt::format("{}case {}:\n{}", indent, first + label * (1 + first),
                          block(depth - 1, indent + "  "));
      if (!once_in(3))
        text += indent + "  break;\n";
    }
    if (once_in(2))
      text += fmt::format("{}default:\n{}", indent, block(depth - 1, indent + "  "));
    return text + indent + "}\n";
  }

  std::string statement(unsigned depth, const std::string& indent) {
    switch (depth == 0 ? 9 : random_.below(10)) {
    case 0:
    case 1:
    case 2: {
      std::string text = fmt::format("{}if ({}) {{\n", indent, condition(1));
      text += block(depth - 1, indent + "  ");
      if (once_in(2))
        text += fmt::format("{}}} else {{\n{}", indent, block(depth - 1, indent + "  "));
      return text + indent + "}\n";
    }
    case 3:
    case 4:
    case 5:
      return loop(depth, indent);
    case 6:
      return choice(depth, indent);
    case 7:
      if (in_kernel_ && depth < 2 && once_in(3)) {
        const std::string when = condition(1);
        return fmt::format("{}if ({}) {{ out[i] = x; return; }}\n", indent, when);
      }
      [[fallthrough]];
    default:
      return fmt::format("{}{}\n", indent, assignment());
    }
  }

  // What the threads of a mask do together; where all that are left come by.
  std::string together(const std::string& mask) {
    const std::string value = expression(1);
    switch (random_.below(9)) {
    case 0: {
      const std::string way = one_of(std::array{"up", "down", "xor"});
      const std::string width = one_of(std::array{"2", "4", "8", "32"});
      return fmt::format("__shfl_{}_sync({}, (int){}, {}, {})", way, mask, value,
                         1 + random_.below(5), width);
    }
    case 1:
      return fmt::format("__shfl_sync({}, (long long){}, {})", mask, value, expression(1));
    case 2: {
      const std::string when = condition(1);
      return fmt::format("(int)__ballot_sync({}, {})", mask, when);
    }
    case 3: {
      const std::string when = condition(1);
      return fmt::format("__{}_sync({}, {})", one_of(std::array{"any", "all", "uni"}), mask, when);
    }
    case 4:
      return fmt::format("(int)__match_any_sync({}, {} & 3)", mask, value);
    case 5:
      return fmt::format("(int)__reduce_{}_sync({}, (unsigned){})",
                         one_of(std::array{"add", "and", "or", "xor", "max", "min"}), mask, value);
    case 6: {
      const std::string when = condition(1);
      return fmt::format("__popc(__ballot_sync({}, {}))", mask, when);
    }
    default:
      return fmt::format("__reduce_{}_sync({}, (int){})", one_of(std::array{"add", "max", "min"}),
                         mask, value);
    }
  }

  std::string exchange() {
    const std::string to = changed(), how = one_of(std::array{"=", "+=", "^="});
    switch (random_.below(5)) {
    case 0: {
      const std::string when = condition(1), mask = fmt::format("m{}", loops_++);
      const std::string yes = together(mask), no = together("~" + mask);
      return fmt::format("  const unsigned {0} = __ballot_sync(~0u, {1});\n"
                         "  if ({0} >> t & 1) {{\n    {2} {3} {4};\n  }} else {{\n"
                         "    {2} {3} {5};\n  }}\n",
                         mask, when, to, how, yes, no);
    }
    case 1: {
      const std::string when = condition(1);
      return fmt::format("  {} {} __syncthreads_{}({});\n", to, how,
                         one_of(std::array{"count", "and", "or"}), when);
    }
    default:
      return fmt::format("  {} {} {};\n", to, how, together("~0u"));
    }
  }

  std::string function(const char* name) {
    known_ = {"m", "n", "r"};
    in_kernel_ = false;
    std::string text = fmt::format("int {}(int m, short n) {{\n  int r = 1;\n", name);
    text += block(1, "  ");
    if (once_in(2)) {
      const std::string when = condition(1);
      text += fmt::format("  if ({}) return m;\n", when);
    }
    return text + "  return r;\n}\n";
  }

  Random random_;
  Dialect dialect_;
  bool in_kernel_ = false;
  unsigned loops_ = 0;
  std::vector<std::string> known_, functions_;
  std::string body_;
};

} // namespace gputest::testgen::tests

#include "tests/simulator/faulty_kernel.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>

namespace gputest::simulator::tests {
namespace {

constexpr int kItems = 16, kGroup = 8, kFaults = 8;

struct Type {
  std::string name, element;
  unsigned width = 1; // components
  std::size_t element_size = 1;
  bool is_float = false, is_signed = false;

  std::size_t size() const { return element_size * (width == 3 ? 4 : width); }
  std::string uint_of(const std::string& value) const {
    return fmt::format("(uint){}{}", value, width > 1 ? ".s0" : "");
  }
};

class Writer {
public:
  explicit Writer(std::uint64_t seed) : random_(static_cast<std::mt19937::result_type>(seed)) {}

  FaultyKernel write() {
    add_argument("global uint* out", buffer(std::vector<std::uint32_t>(kItems)), kItems);
    using Place = void (Writer::*)();
    static constexpr Place kPlaces[] = {
        &Writer::element,        &Writer::local_element,    &Writer::private_element,
        &Writer::member,         &Writer::member_of_buffer, &Writer::constant_element,
        &Writer::helper,         &Writer::undefined,        &Writer::division,
        &Writer::shift,          &Writer::misaligned,       &Writer::null_pointer,
        &Writer::constant_write, &Writer::component,        &Writer::vector_load,
        &Writer::atomic,         &Writer::overflow,         &Writer::denied};
    for (int i = 0; i < kFaults; ++i) {
      add_argument("int f" + number(), value(-1));
      kernel_.faults.push_back({.argument = kernel_.run.arguments.size() - 1, .kind = {}});
      wrap(kPlaces[below(std::size(kPlaces))]);
    }
    return finish();
  }

private:
  // ---- Choices ----

  unsigned below(std::size_t count) { return static_cast<unsigned>(random_() % count); }
  bool maybe() { return below(2) == 0; }

  Type any_type(bool scalars_only = false, bool integers_only = false) {
    struct Scalar {
      const char* name;
      std::size_t size;
      bool is_float, is_signed;
    };
    static constexpr Scalar kScalars[] = {{"char", 1, false, true},  {"uchar", 1, false, false},
                                          {"short", 2, false, true}, {"ushort", 2, false, false},
                                          {"int", 4, false, true},   {"uint", 4, false, false},
                                          {"long", 8, false, true},  {"ulong", 8, false, false},
                                          {"float", 4, true, true},  {"double", 8, true, true}};
    const Scalar& scalar = kScalars[below(integers_only ? 8 : 10)];
    static constexpr unsigned kWidths[] = {1, 1, 1, 2, 3, 4, 8, 16};
    const unsigned width = scalars_only ? 1 : kWidths[below(8)];
    return {scalar.name + (width > 1 ? std::to_string(width) : ""),
            scalar.name,
            width,
            scalar.size,
            scalar.is_float,
            scalar.is_signed};
  }
  Type vector_type() {
    Type type = any_type();
    while (type.width == 1)
      type = any_type();
    return type;
  }

  // ---- Text ----

  std::string number() const { return std::to_string(kernel_.faults.size()); }
  std::string own() const { return std::to_string(kernel_.faults.size() - 1); }

  void add_argument(const std::string& declaration, const Given& given, std::size_t elements = 1) {
    declarations_.push_back(declaration);
    kernel_.names.push_back(declaration.substr(declaration.rfind(' ') + 1));
    kernel_.elements.push_back(elements);
    kernel_.run.arguments.push_back(given);
  }
  std::string add_buffer(const Type& type, const std::string& qualifier = "global",
                         std::size_t elements = kItems, const std::string& pointee = {}) {
    add_argument(fmt::format("{} {}* b{}", qualifier, pointee.empty() ? type.name : pointee, own()),
                 buffer(std::vector<std::byte>(elements * type.size(), std::byte{1})),
                 pointee.empty() ? elements : std::size_t{kItems});
    return "b" + own();
  }

  void line(const std::string& text) { body_.push_back(text); }
  void before(const std::string& text) { prelude_.push_back(text); }

  // The next line of the kernel, or the last of what comes before it, is where the fault is.
  void fails_next(const std::string& kind) {
    kernel_.faults.back().kind = kind;
    in_body_ = true;
    where_ = body_.size();
  }
  void fails_before(const std::string& kind) {
    kernel_.faults.back().kind = kind;
    in_body_ = false;
    where_ = prelude_.size() - 1;
  }

  // `wrong` for the work-item that fails.
  std::string unless(const std::string& right, const std::string& wrong) {
    return fmt::format("(i == f{} ? {} : {})", own(), wrong, right);
  }
  std::string outside(const std::string& right, unsigned count, bool below_zero = true) {
    return unless(right, below_zero && maybe() ? fmt::format("-{}", 1 + below(3))
                                               : std::to_string(count + below(3)));
  }

  // Reads `from`, and uses the value or does not.
  void read(const Type& type, const std::string& from) {
    line(fmt::format("{} v{} = {};", type.name, own(), from));
    if (maybe())
      line(fmt::format("acc += {};", type.uint_of("v" + own())));
  }

  void wrap(void (Writer::*place)()) {
    const unsigned how = below(4);
    line(how == 0 ? "for (int r = 0; r < 3; ++r) {" : how == 1 ? "if (acc != 123456789) {" : "{");
    (this->*place)();
    line("}");
    marks_.push_back({in_body_, where_});
  }

  FaultyKernel finish() {
    std::vector<std::string> lines = prelude_;
    std::string declarations;
    for (const std::string& one : declarations_)
      declarations += (declarations.empty() ? "" : ", ") + one;
    lines.push_back(fmt::format("kernel void k({}) {{", declarations));
    lines.emplace_back("int i = get_global_id(0), l = get_local_id(0);");
    lines.emplace_back("uint acc = 0;");
    lines.insert(lines.end(), variables_.begin(), variables_.end());
    const std::size_t first = lines.size();
    lines.insert(lines.end(), body_.begin(), body_.end());
    lines.emplace_back("out[i] = acc;");
    lines.emplace_back("}");
    for (std::size_t i = 0; i < marks_.size(); ++i)
      kernel_.faults[i].line =
          static_cast<unsigned>(marks_[i].second + 1 + (marks_[i].first ? first : 0));
    for (const std::string& one : lines)
      kernel_.run.text += one + "\n";
    kernel_.run.global_size = kItems;
    kernel_.run.local_size = kGroup;
    kernel_.run.checks = {"races", "barriers", "bounds", "uninitialized", "arithmetic", "overflow"};
    return std::move(kernel_);
  }

  // ---- Places where something can go wrong ----

  void element() {
    const Type type = any_type();
    const std::string b = add_buffer(type), at = outside("i", kItems);
    fails_next("out_of_bounds");
    if (maybe())
      line(fmt::format("{}[{}] = ({})(i);", b, at, type.name));
    else
      read(type, fmt::format("{}[{}]", b, at));
  }

  void local_element() {
    const Type type = any_type();
    std::string t = "t" + own();
    if (maybe())
      add_argument(fmt::format("local {}* {}", type.name, t), local(kGroup * type.size()), kGroup);
    else
      variables_.push_back(fmt::format("local {} {}[{}];", type.name, t, kGroup));
    line(fmt::format("{}[l] = ({})(1);", t, type.name));
    fails_next("out_of_bounds");
    if (maybe())
      line(fmt::format("{}[{}] = ({})(2);", t, outside("l", kGroup), type.name));
    else
      read(type, fmt::format("{}[{}]", t, outside("l", kGroup)));
  }

  void fill(const std::string& array, unsigned count, const Type& type) {
    line(fmt::format("for (int n = 0; n < {}; ++n) {}[n] = ({})(n);", count, array, type.name));
  }

  void private_element() {
    const Type type = any_type();
    const unsigned count = 1 + below(6);
    const std::string p = "p" + own(), right = fmt::format("i % {}", count);
    line(fmt::format("{} {}[{}];", type.name, p, count));
    fill(p, count, type);
    if (maybe()) { // at a constant place
      line(fmt::format("if (i == f{})", own()));
      fails_next("out_of_bounds");
      line(maybe() ? fmt::format("{}[{}] = ({})(1);", p, count + below(3), type.name)
                   : fmt::format("acc += {};", type.uint_of(fmt::format("{}[{}]", p, count))));
      return;
    }
    fails_next("out_of_bounds");
    if (maybe())
      line(fmt::format("{}[{}] = ({})(2);", p, outside(right, count), type.name));
    else
      read(type, fmt::format("{}[{}]", p, outside(right, count)));
  }

  // Two arrays: what is past the first is within the struct.
  void declare_struct(const Type& type, unsigned first, unsigned second) {
    before(fmt::format("struct S{} {{ {} x, a[{}], b[{}]; }};", own(), type.name, first, second));
  }

  void member() {
    const Type type = any_type();
    const unsigned first = 2 + below(4), second = 2 + below(4);
    declare_struct(type, first, second);
    const std::string s = "s" + own();
    line(fmt::format("struct S{} {};", own(), s));
    line(fmt::format("{}.x = ({})(i);", s, type.name));
    fill(s + ".a", first, type);
    fill(s + ".b", second, type);
    const bool in_first = maybe();
    const std::string array = s + (in_first ? ".a" : ".b");
    const unsigned count = in_first ? first : second;
    if (maybe()) {
      line(fmt::format("if (i == f{})", own()));
      fails_next("out_of_bounds");
      line(fmt::format("{}[{}] = ({})(1);", array, count + below(2), type.name));
      return;
    }
    fails_next("out_of_bounds");
    read(type, fmt::format("{}[{}]", array, outside(fmt::format("i % {}", count), count)));
  }

  void member_of_buffer() {
    const Type type = any_type();
    const unsigned first = 2 + below(4), second = 2 + below(4);
    declare_struct(type, first, second);
    const std::string b =
        add_buffer(type, "global", kItems * (1 + first + second), "struct S" + own());
    const std::string at =
        fmt::format("{}[i].a[{}]", b, outside(fmt::format("i % {}", first), first));
    fails_next("out_of_bounds");
    if (maybe())
      line(fmt::format("{} = ({})(3);", at, type.name));
    else
      read(type, at);
  }

  void constant_element() {
    const Type type = any_type();
    const unsigned count = 2 + below(5);
    std::string values;
    for (unsigned i = 0; i < count; ++i)
      values += fmt::format("{}({})({})", i ? ", " : "", type.name, i + 1);
    before(fmt::format("constant {} c{}[{}] = {{{}}};", type.name, own(), count, values));
    fails_next("out_of_bounds");
    read(type, fmt::format("c{}[{}]", own(), outside(fmt::format("i % {}", count), count)));
  }

  void helper() {
    const Type type = any_type();
    const bool is_private = maybe();
    before(fmt::format("{0} get{1}({2}{0}* p, int n) {{", type.name, own(),
                       is_private ? "" : "global "));
    before("  return p[n];");
    fails_before("out_of_bounds");
    before("}");
    if (is_private) {
      line(fmt::format("{} q{}[4];", type.name, own()));
      fill("q" + own(), 4, type);
      read(type, fmt::format("get{0}(q{0}, {1})", own(), outside("i % 4", 4)));
    } else {
      const std::string b = add_buffer(type);
      read(type, fmt::format("get{}({}, {})", own(), b, outside("i", kItems)));
    }
  }

  void undefined() {
    const Type type = any_type();
    const std::string b = add_buffer(type);
    line(fmt::format("{} u{};", type.name, own()));
    line(fmt::format("if (i != f{0}) u{0} = ({1})(i);", own(), type.name));
    fails_next("uninitialized");
    line(maybe() ? fmt::format("{}[i] = u{};", b, own())
                 : fmt::format("if ({} == 3) acc += 1;", type.uint_of("u" + own())));
  }

  void division() {
    const Type type = any_type(false, true);
    const char* const operation = maybe() ? "/" : "%";
    if (maybe()) {
      line(fmt::format("if (i == f{})", own()));
      fails_next("division_by_zero");
      line(fmt::format("{{ {0} d{1} = ({0})(i + 1) {2} ({0})(0); }}", type.name, own(), operation));
      return;
    }
    fails_next("division_by_zero");
    read(type, fmt::format("({0})(i + 1) {1} ({0})({2})", type.name, operation, unless("3", "0")));
  }

  void shift() {
    const Type type = any_type(false, true);
    // Scalars are promoted to int.
    const auto bits = static_cast<unsigned>(8 * type.element_size);
    const unsigned width = type.width == 1 ? std::max(bits, 32U) : bits;
    fails_next("shift");
    read(type, fmt::format("({0})(1) {1} ({0})({2})", type.name, maybe() ? "<<" : ">>",
                           unless("2", std::to_string(width + below(3)))));
  }

  void misaligned() {
    Type type = any_type();
    while (type.size() == 1)
      type = any_type();
    const auto size = static_cast<unsigned>(type.size());
    const unsigned off = 1 + below(size - 1);
    if (maybe()) {
      const Type bytes{"uchar", "uchar", 1, 1};
      const std::string b = add_buffer(bytes, "global", (kItems + 1) * size);
      fails_next("misaligned");
      read(type, fmt::format("*(global {}*)({} + {} * i + {})", type.name, b, size,
                             unless("0", std::to_string(off))));
    } else {
      line(
          fmt::format("{} m{}[2] = {{({})(1), ({})(2)}};", type.name, own(), type.name, type.name));
      fails_next("misaligned");
      read(type, fmt::format("*({}*)((uchar*)m{} + {})", type.name, own(),
                             unless("0", std::to_string(off))));
    }
  }

  void null_pointer() {
    const Type type = any_type();
    const std::string b = add_buffer(type);
    line(fmt::format("global {}* n{} = {};", type.name, own(), unless(b, "0")));
    fails_next("null_pointer");
    if (maybe())
      line(fmt::format("n{}[i] = ({})(1);", own(), type.name));
    else
      read(type, fmt::format("n{}[i]", own()));
  }

  void constant_write() {
    const Type type = any_type();
    const std::string b = add_buffer(type, "global const");
    line(fmt::format("if (i == f{})", own()));
    fails_next("write_to_read_only");
    line(fmt::format("((global {0}*){1})[i] = ({0})(1);", type.name, b));
  }

  void component() {
    const Type type = vector_type();
    const std::string w = "w" + own();
    const std::string at = unless(fmt::format("i % {}", type.width), std::to_string(type.width));
    line(fmt::format("{0} {1} = ({0})(i);", type.name, w));
    fails_next("out_of_bounds");
    if (maybe())
      line(fmt::format("{}[{}] = ({})1;", w, at, type.element));
    else
      line(fmt::format("{} e{} = {}[{}];", type.element, own(), w, at));
    line(fmt::format("acc += {};", type.uint_of(w)));
  }

  void vector_load() {
    const Type type = any_type(true);
    const std::string b = add_buffer(type, "global", std::size_t{4} * kItems);
    fails_next("out_of_bounds");
    if (maybe())
      line(fmt::format("vstore4(({}4)(1), {}, {});", type.name, outside("i", kItems), b));
    else
      line(fmt::format("acc += (uint)vload4({}, {}).x;", outside("i", kItems), b));
  }

  void atomic() {
    static constexpr const char* kTypes[] = {"int", "uint", "long", "ulong"};
    const unsigned which = below(4);
    const Type type{kTypes[which], kTypes[which], 1, which < 2 ? 4U : 8U};
    const std::string b = add_buffer(type);
    static constexpr const char* kCalls[] = {"atom_add({}, 1)", "atom_max({}, 3)", "atom_inc({})"};
    fails_next("out_of_bounds");
    line(fmt::format(fmt::runtime(std::string(kCalls[below(3)]) + ";"),
                     fmt::format("&{}[{}]", b, outside("i", kItems))));
  }

  void overflow() {
    fails_next("overflow");
    line(fmt::format("int o{} = 2147483647 {};", own(),
                     maybe() ? fmt::format("+ {}", unless("0", "1"))
                             : fmt::format("* {}", unless("1", "2"))));
  }

  // What the host does not allow.
  void denied() {
    const Type type = any_type();
    const std::string b = add_buffer(type);
    const bool write = maybe();
    kernel_.run.arguments.back().access = write ? BufferAccess::ReadOnly : BufferAccess::WriteOnly;
    line(fmt::format("if (i == f{})", own()));
    fails_next(write ? "write_to_read_only" : "read_of_write_only");
    line(write ? fmt::format("{}[i] = ({})(1);", b, type.name)
               : fmt::format("acc += {};", type.uint_of(b + "[i]")));
  }

  std::mt19937 random_;
  FaultyKernel kernel_;
  std::vector<std::string> declarations_, prelude_, variables_, body_;
  std::vector<std::pair<bool, std::size_t>>
      marks_; // of each fault: in the body, and its line there
  bool in_body_ = false;
  std::size_t where_ = 0;
};

} // namespace

FaultyKernel faulty_kernel(std::uint64_t seed) {
  return Writer(seed).write();
}

} // namespace gputest::simulator::tests

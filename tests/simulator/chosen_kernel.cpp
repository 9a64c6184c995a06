#include "tests/simulator/chosen_kernel.h"

#include <fmt/format.h>
#include <optional>
#include <random>

namespace gputest::simulator::tests {
namespace {

constexpr unsigned kAccesses = 6; // accesses of a kernel

struct Memory {
  std::string name;
  unsigned kind = 0, count = 0; // of kKinds; elements
};
enum Kind : unsigned { kPrivate, kLocal, kConstant, kGlobal, kKinds };

// A pointer that a work-item makes: its text, and into which object it points at which element.
struct Target {
  unsigned object = 0;
  int element = 0;
};
struct Pointer {
  std::string text;
  std::vector<Target> targets; // in each run
};

class ChosenWriter {
public:
  ChosenWriter(std::uint64_t seed, bool cuda)
      : random_(static_cast<std::mt19937::result_type>(seed)), cuda_(cuda) {}

  ChosenKernel write() {
    static constexpr const char* kTypes[] = {"int", "float", "uchar", "short", "long"};
    const unsigned type = below(5);
    type_ = kTypes[type];
    size_ = type == 2 ? 1 : type == 3 ? 2 : type == 4 ? 8 : 4;
    if (cuda_)
      prelude_ = {"typedef unsigned char uchar;"};
    add_objects();
    for (unsigned place = 0; place < kAccesses; ++place)
      add_place(place);
    return finish();
  }

private:
  static constexpr unsigned kRuns = kAccesses + 1;

  unsigned below(std::size_t count) { return static_cast<unsigned>(random_() % count); }
  bool maybe() { return below(2) == 0; }
  void line(const std::string& text) { body_.push_back(text); }
  std::string fresh(const char* prefix) { return prefix + std::to_string(names_++); }

  // An argument that has a value in each run.
  std::string number(const std::vector<int>& values) {
    numbers_.push_back(values);
    parameters_.push_back("int n" + std::to_string(numbers_.size() - 1));
    return "n" + std::to_string(numbers_.size() - 1);
  }
  std::vector<int> any_of(unsigned count) {
    std::vector<int> values(kRuns);
    for (int& one : values)
      one = static_cast<int>(below(count));
    return values;
  }

  // ---- Objects ----

  void add_objects() {
    for (unsigned i = 0, count = 2 + below(4); i < count; ++i)
      objects_.push_back({fmt::format("o{}", i), below(kKinds), 1 + below(6)});
    for (Memory& object : objects_) // two of a kind at least
      if (&object == &objects_[1])
        object.kind = objects_[0].kind;
    for (const Memory& object : objects_) {
      const std::string array = fmt::format("{} {}[{}]", type_, object.name, object.count);
      std::string values;
      for (unsigned i = 0; i < object.count; ++i)
        values += fmt::format("{}{}", i ? ", " : "", i);
      if (object.kind == kPrivate)
        line(fmt::format("{} = {{{}}};", array, values));
      if (object.kind == kLocal) {
        line(fmt::format("{} {};", cuda_ ? "__shared__" : "local", array));
        for (unsigned i = 0; i < object.count; ++i)
          line(fmt::format("{}[{}] = {};", object.name, i, i));
      }
      if (object.kind == kConstant)
        prelude_.push_back(
            fmt::format("{} {} = {{{}}};", cuda_ ? "__constant__" : "constant", array, values));
      if (object.kind == kGlobal)
        parameters_.push_back(fmt::format("{}{}* {}", cuda_ ? "" : "global ", type_, object.name));
    }
  }

  const char* space_of(unsigned kind) const {
    static constexpr const char* kSpaces[] = {"private ", "local ", "constant ", "global "};
    return cuda_ ? "" : kSpaces[kind];
  }
  std::string declared(const std::string& name, const char* stars = "*") const {
    return fmt::format("{}{}{} {}", space_of(kind_), type_, stars, name);
  }

  // ---- Pointers ----

  // Returns a pointer to an element of an object, or to one past its end, which is right, too.
  Pointer object() {
    std::vector<unsigned> fit;
    for (unsigned i = 0; i < objects_.size(); ++i)
      if (cuda_ || objects_[i].kind == kind_)
        fit.push_back(i);
    const unsigned which = fit[below(fit.size())];
    const int element = maybe() ? 0 : static_cast<int>(below(objects_[which].count + 1));
    return {element ? fmt::format("({} + {})", objects_[which].name, element)
            : cuda_ ? fmt::format("(({}*){})", type_, objects_[which].name)
                    : objects_[which].name,
            std::vector<Target>(kRuns, Target{which, element})};
  }

  static std::vector<Target> chosen(const std::vector<int>& by, const std::vector<Pointer>& from) {
    std::vector<Target> targets;
    for (unsigned run = 0; run < kRuns; ++run)
      targets.push_back(from[static_cast<std::size_t>(by[run])].targets[run]);
    return targets;
  }

  Pointer any(unsigned depth) {
    if (depth == 0)
      return object();
    using Way = Pointer (ChosenWriter::*)(unsigned);
    static constexpr Way kWays[] = {
        &ChosenWriter::selected, &ChosenWriter::branched,  &ChosenWriter::called,
        &ChosenWriter::set,      &ChosenWriter::swapped,   &ChosenWriter::moved,
        &ChosenWriter::member,   &ChosenWriter::copied,    &ChosenWriter::of_structs,
        &ChosenWriter::of_table, &ChosenWriter::of_copies, &ChosenWriter::of_tables};
    return (this->*kWays[below(std::size(kWays))])(depth - 1);
  }

  Pointer selected(unsigned depth) {
    const Pointer a = any(depth), b = any(depth);
    const std::vector<int> by = any_of(2);
    const std::string name = fresh("p");
    line(fmt::format("{} = {} > 0 ? {} : {};", declared(name), number(by), b.text, a.text));
    return {name, chosen(by, {a, b})};
  }

  Pointer branched(unsigned depth) {
    const std::vector<Pointer> from{any(depth), any(depth), any(depth)};
    const std::vector<int> by = any_of(3);
    const std::string name = fresh("p");
    line(fmt::format("{};", declared(name)));
    line(fmt::format("switch ({}) {{", number(by)));
    for (int i = 0; i < 3; ++i)
      line(fmt::format("{}: {} = {}; break;", i ? fmt::format("case {}", i) : "default", name,
                       from[static_cast<std::size_t>(i)].text));
    line("}");
    return {name, chosen(by, from)};
  }

  std::string helper(const std::string& result, const std::string& parameters,
                     const std::string& text) {
    const std::string name = fresh("f");
    prelude_.push_back(
        fmt::format("{}{} {}({}) {{", cuda_ ? "__device__ " : "", result, name, parameters));
    prelude_.push_back(text);
    prelude_.emplace_back("}");
    return name;
  }

  Pointer called(unsigned depth) {
    const Pointer a = any(depth), b = any(depth);
    const std::vector<int> by = any_of(2);
    const std::string name = fresh("p");
    const std::string pick =
        helper(declared(""), fmt::format("int s, {}, {}", declared("a"), declared("b")),
               maybe() ? "return s ? b : a;" : "if (s) return b; return a;");
    line(fmt::format("{} = {}({}, {}, {});", declared(name), pick, number(by), a.text, b.text));
    return {name, chosen(by, {a, b})};
  }

  Pointer set(unsigned depth) {
    const Pointer a = any(depth), b = any(depth);
    const std::vector<int> by = any_of(2);
    const std::string name = fresh("p");
    const std::string pick = helper(
        "void", fmt::format("{}* p, int s, {}", declared(""), declared("b")), "if (s) *p = b;");
    line(fmt::format("{} = {};", declared(name), a.text));
    line(fmt::format("{}(&{}, {}, {});", pick, name, number(by), b.text));
    return {name, chosen(by, {a, b})};
  }

  Pointer swapped(unsigned depth) {
    const Pointer a = any(depth), b = any(depth);
    std::vector<int> rounds = any_of(4), by(kRuns);
    for (unsigned run = 0; run < kRuns; ++run)
      by[run] = rounds[run] % 2;
    const std::string p = fresh("p"), q = fresh("p"), t = fresh("p");
    line(fmt::format("{} = {};", declared(p), a.text));
    line(fmt::format("{} = {};", declared(q), b.text));
    line(fmt::format("for (int r = 0; r < {}; ++r) {{ {} = {}; {} = {}; {} = {}; }}",
                     number(rounds), declared(t), p, p, q, q, t));
    return {p, chosen(by, {a, b})};
  }

  // Arithmetic that leaves the object and comes back.
  Pointer moved(unsigned depth) {
    const Pointer a = any(depth);
    std::vector<int> steps = any_of(9);
    for (int& one : steps)
      one -= 4;
    Pointer result{fresh("p"), a.targets};
    const std::string by = number(steps);
    line(fmt::format("{} = {};", declared(result.text), a.text));
    if (maybe()) {
      line(fmt::format("for (int r = 0; r < 3; ++r) {} += {};", result.text, by));
      line(fmt::format("{} -= 2 * {};", result.text, by));
    } else {
      line(fmt::format("{} = {} + {};", result.text, result.text, by));
    }
    for (unsigned run = 0; run < kRuns; ++run)
      result.targets[run].element += steps[run];
    return result;
  }

  std::string structure() {
    const std::string name = fresh("S");
    prelude_.push_back(fmt::format("struct {} {{ int count; {}; }};", name, declared("p")));
    return name;
  }

  Pointer member(unsigned depth) {
    const Pointer a = any(depth), b = any(depth);
    const std::vector<int> by = any_of(2);
    const std::string type = structure(), name = fresh("s");
    line(fmt::format("struct {} {};", type, name));
    line(fmt::format("{}.count = 1;", name));
    line(fmt::format("{}.p = {} ? {} : {};", name, number(by), b.text, a.text));
    return {name + ".p", chosen(by, {a, b})};
  }

  Pointer copied(unsigned depth) {
    const Pointer a = any(depth), b = any(depth);
    const std::vector<int> by = any_of(2);
    const std::string type = structure(), name = fresh("s"), copy = fresh("s");
    const std::string make =
        helper("struct " + type, fmt::format("int n, {}", declared("a")),
               fmt::format("struct {} made; made.count = n; made.p = a; return made;", type));
    line(fmt::format("struct {} {} = {}(1, {});", type, name, make, a.text));
    line(fmt::format("struct {} {} = {}(2, {});", type, copy, make, b.text));
    line(fmt::format("if ({}) {} = {};", number(by), name, copy));
    return {name + ".p", chosen(by, {a, b})};
  }

  Pointer of_structs(unsigned depth) {
    const std::vector<Pointer> from{any(depth), any(depth), any(depth)};
    const std::vector<int> by = any_of(3);
    const std::string type = structure(), name = fresh("s");
    line(fmt::format("struct {} {}[3];", type, name));
    for (std::size_t i = 0; i < 3; ++i)
      line(fmt::format("{}[{}].p = {}; {}[{}].count = {};", name, i, from[i].text, name, i, i));
    const std::string at = number(by);
    if (maybe())
      return {fmt::format("{}[{}].p", name, at), chosen(by, from)};
    line(fmt::format("struct {} {}one = {}[{}];", type, name, name, at));
    return {name + "one.p", chosen(by, from)};
  }

  std::string table(const std::vector<Pointer>& from) {
    const std::string name = fresh("t");
    line(fmt::format("{}[3] = {{{}, {}, {}}};", declared(name), from[0].text, from[1].text,
                     from[2].text));
    return name;
  }

  Pointer of_table(unsigned depth) {
    const std::vector<Pointer> from{any(depth), any(depth), any(depth)};
    const std::vector<int> by = any_of(3);
    const std::string name = table(from), at = number(by);
    if (maybe())
      return {fmt::format("{}[{}]", name, at), chosen(by, from)};
    const std::string pick =
        helper(declared(""), fmt::format("{}* t, int s", declared("")), "return t[s];");
    return {fmt::format("{}({}, {})", pick, name, at), chosen(by, from)};
  }

  // A table that is filled from another one, the other way round.
  Pointer of_copies(unsigned depth) {
    const std::vector<Pointer> from{any(depth), any(depth), any(depth)};
    const std::vector<int> by = any_of(3);
    std::vector<int> at = by;
    for (int& one : at)
      one = 2 - one;
    const std::string first = table(from), name = fresh("t");
    line(fmt::format("{}[3];", declared(name)));
    line(fmt::format("for (int r = 0; r < 3; ++r) {}[2 - r] = {}[r];", name, first));
    return {fmt::format("{}[{}]", name, number(at)), chosen(by, from)};
  }

  Pointer of_tables(unsigned depth) {
    const std::vector<Pointer> one{any(depth), any(depth), any(depth)};
    const std::vector<Pointer> other{any(0), any(0), any(0)};
    const std::vector<int> by = any_of(3), which = any_of(2);
    const std::string a = table(one), b = table(other), name = fresh("t");
    line(fmt::format("{}* {}[2] = {{{}, {}}};", declared(""), name, a, b));
    const std::vector<Target> first = chosen(by, one), second = chosen(by, other);
    std::vector<Target> targets;
    for (unsigned run = 0; run < kRuns; ++run)
      targets.push_back(which[run] ? second[run] : first[run]);
    return {fmt::format("{}[{}][{}]", name, number(which), number(by)), targets};
  }

  // ---- Accesses ----

  // In run 1 + `place` it is outside.
  void add_place(unsigned place) {
    kind_ = objects_[maybe() ? 0 : below(objects_.size())].kind;
    const Pointer pointer = any(1 + below(2));
    std::vector<int> index(kRuns);
    bool writes = cuda_ ? maybe() : kind_ != kConstant && maybe();
    for (unsigned run = 0; run < kRuns; ++run) {
      const Target& target = pointer.targets[run];
      const Memory& object = objects_[target.object];
      if (cuda_ && object.kind == kConstant)
        writes = false;
      const int count = static_cast<int>(object.count);
      int element = static_cast<int>(below(object.count));
      if (run == place + 1) {
        element = maybe() ? count + static_cast<int>(below(4)) : -1 - static_cast<int>(below(3));
        outside_[place] = object.name;
      }
      index[run] = element - target.element;
    }
    if (below(4) == 0)
      line(cuda_ ? "__syncthreads();" : "barrier(CLK_LOCAL_MEM_FENCE);");
    const std::string at = number(index);
    const unsigned how = below(3);
    const std::string element =
        how == 0 ? fmt::format("*({} + i)", pointer.text) : fmt::format("({})[i]", pointer.text);
    if (how == 2) { // in a function
      const std::string access = helper("int", fmt::format("{}, int i", declared("p")),
                                        writes ? "p[i] = 1; return 0;" : "return (int)p[i];");
      in_prelude_[place] = prelude_.size() - 1;
      line(fmt::format("acc += {}({}, {});", access, pointer.text, at));
      return;
    }
    line(fmt::format("{{ const int i = {};", at));
    line(writes ? element + " = 1;" : fmt::format("acc += (int){};", element));
    in_body_[place] = body_.size();
    line("}");
  }

  ChosenKernel finish() {
    std::vector<std::string> lines = prelude_;
    std::string parameters = cuda_ ? "int* out" : "global int* out";
    for (const std::string& one : parameters_)
      parameters += ", " + one;
    lines.push_back(
        fmt::format("{} void k({}) {{", cuda_ ? "extern \"C\" __global__" : "kernel", parameters));
    lines.emplace_back("int acc = 0;");
    const std::size_t first = lines.size();
    lines.insert(lines.end(), body_.begin(), body_.end());
    lines.emplace_back("*out = acc;");
    lines.emplace_back("}");
    ChosenKernel kernel;
    for (unsigned run = 0; run < kRuns; ++run) {
      Run what{.text = "", .arguments = {buffer(std::vector<int>(1))}, .checks = {"bounds"}};
      what.cuda = cuda_;
      if (maybe_all_)
        what.checks = {"races", "barriers", "bounds", "uninitialized", "arithmetic"};
      for (const std::string& one : lines)
        what.text += one + "\n";
      std::size_t next = 0, next_object = 0;
      for (const std::string& one : parameters_) {
        if (one.starts_with("int n")) {
          what.arguments.push_back(value(numbers_[next++][run]));
          continue;
        }
        while (objects_[next_object].kind != kGlobal)
          ++next_object;
        what.arguments.push_back(
            buffer(std::vector<std::byte>(objects_[next_object++].count * size_)));
      }
      kernel.runs.push_back(what);
      ChosenKernel::Outside expected;
      if (run > 0)
        expected = {static_cast<unsigned>(in_prelude_[run - 1] ? in_prelude_[run - 1]
                                                               : in_body_[run - 1] + first),
                    outside_[run - 1]};
      kernel.expected.push_back(expected);
    }
    return kernel;
  }

  std::mt19937 random_;
  bool cuda_;
  bool maybe_all_ = below(2) == 0;
  std::string type_;
  std::size_t size_ = 4;
  unsigned names_ = 0, kind_ = 0; // kind_: of the objects of the current pointer (OpenCL)
  std::vector<Memory> objects_;
  std::vector<std::string> prelude_, body_, parameters_;
  std::vector<std::vector<int>> numbers_;
  std::size_t in_prelude_[kAccesses] = {}, in_body_[kAccesses] = {}; // lines of accesses, from 1 on
  std::string outside_[kAccesses];
};

} // namespace

ChosenKernel chosen_kernel(std::uint64_t seed, bool cuda) {
  return ChosenWriter(seed, cuda).write();
}

} // namespace gputest::simulator::tests

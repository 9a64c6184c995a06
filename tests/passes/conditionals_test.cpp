// Random nests of conditionals: the flat text is what Clang's own preprocessor makes of them, and
// every macro of which the answer changes that text is asked about. GPUTEST_RANDOM: how
// many.
#include "frontend/flatten.h"
#include "tests/passes/golden.h"
#include "tests/random_count.h"

#include <cctype>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace gputest;

using Macros = std::map<std::string, std::optional<std::string>>;

// Macros of the device: none of these is defined by the files without asking first.
const char* const kDevice[] = {"DEV_A", "DEV_B", "cl_dev_c", "__DEV_D__"};
const char* const kOwn[] = {"A", "B", "C", "D", "E"};
const char* const kFunctionLike[] = {"F", "G"}; // of two arguments
const char* const kValues[] = {"0", "1", "2", "110", "(1 + 1)"};

class ConditionalsGenerator {
public:
  explicit ConditionalsGenerator(std::uint32_t seed) : random_(seed) {}

  std::string file(int depth, bool includes) {
    includes_ = includes;
    std::string text;
    for (const char* name : kFunctionLike)
      text += fmt::format("#undef {0}\n#define {0}(x, y) {1}\n", name, function_body());
    for (unsigned i = 0, count = 3 + pick(4); i < count; ++i)
      text += piece(depth);
    return text;
  }

  Macros device() {
    Macros macros;
    for (const char* name : kDevice)
      macros[name] = pick(2) ? std::optional<std::string>(kValues[pick(5)]) : std::nullopt;
    return macros;
  }

private:
  unsigned pick(unsigned below) {
    return std::uniform_int_distribution<unsigned>(0, below - 1)(random_);
  }

  std::string name() {
    switch (pick(9)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return kOwn[pick(5)];
    case 4:
      return "NOWHERE";
    case 5: // known to the language
      return pick(2) ? "CHAR_BIT" : "INT_MAX";
    default:
      return kDevice[pick(4)];
    }
  }

  std::string function_body() {
    switch (pick(4)) {
    case 0:
      return "((x) + (y))";
    case 1:
      return "(x == y)";
    case 2:
      return fmt::format("(x > {} || y)", name());
    default:
      return fmt::format("{}", name());
    }
  }

  // What a macro stands for. Never an expression with `defined`, which would be undefined
  // behaviour.
  std::string body() {
    switch (pick(6)) {
    case 0:
      return name();
    case 1:
      return fmt::format("({} + {})", name(), pick(3));
    case 2:
      return fmt::format("{} == {}", name(), name());
    default:
      return kValues[pick(5)];
    }
  }

  std::string primary(int depth) {
    switch (pick(depth > 0 ? 8 : 4)) {
    case 0:
      return kValues[pick(5)];
    case 1:
      return pick(2) ? fmt::format("defined({})", name()) : fmt::format("defined {}", name());
    case 2:
    case 3:
      return name();
    case 4:
      return fmt::format("!{}", primary(depth - 1));
    case 5: // without `defined`, as above
      return fmt::format("{}({}, {})", kFunctionLike[pick(2)], name(),
                         pick(2) ? name() : fmt::format("({} - {})", name(), kValues[pick(5)]));
    default:
      return fmt::format("({})", expression(depth - 1));
    }
  }

  std::string expression(int depth) {
    static const char* const kOperators[] = {"&&", "||", "==", "!=", "<", ">=", "+",
                                             "-",  "*",  "&",  "|",  "^", "&&", "||"};
    const std::string left = primary(depth);
    switch (pick(depth > 0 ? 7 : 3)) {
    case 0:
      return left;
    case 1:
    case 2:
      return fmt::format("{} {} {}", left, kOperators[pick(14)], primary(depth));
    case 3:
      return fmt::format("{} ? {} : {}", left, expression(depth - 1), expression(depth - 1));
    case 4:
      return fmt::format("{} /* not {} */ {}\\\n  {}", left, name(), kOperators[pick(14)],
                         expression(depth - 1));
    default:
      return fmt::format("{} {} {}", left, kOperators[pick(14)], expression(depth - 1));
    }
  }

  std::string piece(int depth) {
    switch (pick(depth > 0 ? 9 : 3)) {
    case 0:
      return fmt::format("int v{} = 1;\n", next_++);
    case 1: {
      const std::string own = kOwn[pick(5)];
      return fmt::format("#undef {0}\n#define {0} {1}\n", own, body());
    }
    case 2:
      return pick(3) ? fmt::format("#undef {}\n", kOwn[pick(5)])
                     : fmt::format("int w{} = __OPENCL_VERSION__ + {};\n", next_++, name());
    case 3:
      return includes_ ? "#include \"inner.h\"\n" : fmt::format("int u{};\n", next_++);
    case 4: // a default for what a device may define
      return "#ifndef cl_dev_c\n#define cl_dev_c 1\n#endif\n";
    default:
      return conditional(depth);
    }
  }

  std::string conditional(int depth) {
    std::string text;
    switch (pick(4)) {
    case 0:
      text = fmt::format("#ifdef {}\n", name());
      break;
    case 1:
      text = fmt::format("# ifndef {} // {}\n", name(), name());
      break;
    default:
      text = fmt::format("#if {}\n", expression(2));
    }
    text += piece(depth - 1) + piece(depth - 1);
    for (unsigned i = 0, count = pick(3); i < count; ++i)
      text += fmt::format("#elif {}\n", expression(2)) + piece(depth - 1);
    if (pick(2))
      text += "#else\n" + piece(depth - 1);
    return text + "#endif\n";
  }

  std::mt19937 random_;
  unsigned next_ = 0;
  bool includes_ = false;
};

struct ConditionalsFolder {
  fs::path path = fs::temp_directory_path() / fmt::format("gputest_conditionals_{}", ::getpid());
  ConditionalsFolder() { fs::create_directories(path); }
  ~ConditionalsFolder() { fs::remove_all(path); }
  ConditionalsFolder(const ConditionalsFolder&) = delete;
  ConditionalsFolder& operator=(const ConditionalsFolder&) = delete;
};

frontend::FlatSource flat(const fs::path& file, const Macros& device) {
  frontend::SourceOptions options;
  options.file = file.string();
  options.source_root = file.parent_path().string();
  options.device_macros = device;
  auto result = frontend::flatten(options);
  if (!result) {
    FAIL(llvm::toString(result.takeError()));
  }
  return std::move(*result);
}

// Without white space and the lines of directives, which every preprocessor writes in its own way.
std::string tokens_of(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind('#', 0) != 0)
      for (const char c : line)
        if (!std::isspace(static_cast<unsigned char>(c)))
          result += c;
  return result;
}

// What conditionals have left of a text, whatever stands for the values in it: a macro that is only
// used is the device's to replace, and nobody need ask about it.
std::string decided_by_conditionals(const std::string& text) {
  static const std::regex kValue("(intw[0-9]+)=[^;]*;");
  return std::regex_replace(text, kValue, "$1;");
}

std::string preprocessed_by_clang(const fs::path& file, const Macros& device) {
  const fs::path out = file.parent_path() / "clang.i";
  // What the language defines, and what is expected of every device.
  std::string command = fmt::format(
      "'{}' -cc1 -triple spir64-unknown-unknown -x cl -cl-std=CL1.2 -E -P -w '{}' -o '{}' "
      "-D__OPENCL_VERSION__=300 -DCHAR_BIT=8 -DINT_MAX=2147483647",
      GPUTEST_CLANG, file.string(), out.string());
  for (const auto& [name, value] : device)
    if (value)
      command += fmt::format(" '-D{}={}'", name, *value);
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
  return tokens_of(tests::read(out));
}

std::set<std::string> asked(const frontend::FlatSource& source) {
  std::set<std::string> names;
  for (const model::DeviceMacro& macro : source.device_macros)
    names.insert(macro.name);
  return names;
}

std::string flat_text(const std::string& text) {
  const ConditionalsFolder folder;
  std::ofstream(folder.path / "kernel.cl") << text;
  return tokens_of(flat(folder.path / "kernel.cl", {}).text);
}

std::set<std::string> questions_of(const std::string& text) {
  const ConditionalsFolder folder;
  std::ofstream(folder.path / "kernel.cl") << text;
  return asked(flat(folder.path / "kernel.cl", {}));
}

} // namespace

TEST_CASE("conditions that begin or end in a macro are read as written", "[flatten]") {
  CHECK(flat_text("#define A 0\n#if A == 1 && B == 0\nint a;\n#else\nint b;\n#endif\n") == "intb;");
  CHECK(flat_text("#define A 0\n#if A == 0 || B == 0\nint a;\n#endif\n") == "inta;");
  CHECK(flat_text("#define F(x) (x)\n#if F(1) && F(B == 0)\nint a;\n#endif\n") == "inta;");
  using Names = std::set<std::string>;
  CHECK(questions_of("#define A 0\n#if A == 1 && B == 0\n#endif\n") == Names{"B"});
  CHECK(questions_of("#define A B\n#define F(x) x + C\n#if F(A)\n#endif\n") == Names{"B", "C"});
  CHECK(questions_of("#if 1 // X\n#elif /* Y */ D\n#endif\n#if 0\n#ifdef E\n#endif\n#endif\n") ==
        Names{"D", "E"});
  CHECK(questions_of("#ifndef cl_x\n#define cl_x 0\n#endif\n#ifndef __X_H__\n#define __X_H__\n"
                     "#endif\n#ifndef WIDTH\n#define WIDTH 4\n#endif\n") == Names{"cl_x"});
  CHECK(questions_of("#if __LINE__ > 3 && defined(__FILE__)\n#endif\n") == Names{});
}

TEST_CASE("values of the language's macros decide conditionals", "[flatten]") {
  CHECK(
      flat_text("#if CHAR_BIT == 8 && CHAR_MAX == 127 && true\nint a;\n#else\nint b;\n#endif\n") ==
      "inta;");
  CHECK(flat_text("#ifdef CHAR_BIT\nint a = CHAR_BIT;\n#endif\n") == "inta=CHAR_BIT;");
}

TEST_CASE("random conditionals: the text is Clang's, and what it hangs on is asked", "[flatten]") {
  const ConditionalsFolder folder;
  const fs::path main = folder.path / "kernel.cl";
  const std::size_t programs = tests::random_count(4);
  std::size_t decided = 0;
  for (std::uint32_t seed = 1; seed <= programs; ++seed) {
    ConditionalsGenerator generator(seed);
    std::ofstream(folder.path / "inner.h") << generator.file(1, false);
    std::ofstream(main) << generator.file(3, true);
    INFO("seed " << seed << "\n--- inner.h\n"
                 << tests::read(folder.path / "inner.h") << "--- kernel.cl\n"
                 << tests::read(main));

    const Macros device = generator.device();
    const frontend::FlatSource before = flat(main, device);
    const std::string text = tokens_of(before.text);
    // Where the values of a macro of the language are asked for, it stands there as its value.
    std::string clang = preprocessed_by_clang(main, device);
    std::string ours = text;
    for (const auto& [name, value] :
         {std::pair<std::string, std::string>{"CHAR_BIT", "8"}, {"INT_MAX", "2147483647"}})
      for (std::size_t at; (at = ours.find(name)) != std::string::npos;)
        ours.replace(at, name.size(), value);
    CHECK(ours == clang);

    const std::set<std::string> names = asked(before);
    for (const char* name : kDevice)
      for (const std::optional<std::string>& value :
           {std::optional<std::string>(), std::optional<std::string>("0"),
            std::optional<std::string>("1"), std::optional<std::string>("110")}) {
        Macros other = device;
        other[name] = value;
        if (decided_by_conditionals(tokens_of(flat(main, other).text)) ==
            decided_by_conditionals(text))
          continue;
        INFO(name << " = " << value.value_or("(not defined)"));
        CHECK(names.contains(name));
        ++decided;
      }
  }
  CHECK(decided > programs);
}

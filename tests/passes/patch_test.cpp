// Mutants as patches: `patch` applies each of them, and the preprocessed result is the mutant.
// GPUTEST_RANDOM: how many random kernels full of macros.
#include "frontend/flatten.h"
#include "passes/mutation/mutants.h"
#include "passes/mutation/patch.h"
#include "tests/passes/golden.h"
#include "tests/random_count.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace gputest;

std::string words_of(const frontend::FlatSource& source) {
  std::string words;
  for (const frontend::FlatToken& token : source.tokens)
    words += source.text.substr(token.begin, token.end - token.begin) + ' ';
  return words;
}

frontend::SourceOptions options_at(const fs::path& file) {
  frontend::SourceOptions options;
  options.file = file.string();
  options.source_root = file.parent_path().string();
  return options;
}

// Folders with a copy of the sources for each mutant, one patch for all of them.
class Patches {
public:
  Patches() { fs::create_directories(folder_); }
  ~Patches() { fs::remove_all(folder_); }
  Patches(const Patches&) = delete;
  Patches& operator=(const Patches&) = delete;

  // Every `step`th mutant of files, of which the first is the kernel's. Random kernels may be none:
  // a conditional may leave out what another one defines. Returns whether it is OpenCL C.
  bool add(const std::vector<fs::path>& files, unsigned step) {
    const frontend::SourceOptions options = options_at(files.front());
    const frontend::FlatSource flat = llvm::cantFail(frontend::flatten(options));
    passes::mutation::MutantVariant variant;
    const std::string error =
        llvm::toString(frontend::parse(flat, options, [&](const frontend::Tree& tree) {
          variant = passes::mutation::mutate(tree, "case.cl");
          return llvm::Error::success();
        }));
    if (!error.empty())
      return false;
    const frontend::FileNames names(options.source_root);
    unsigned number = 0;
    for (const model::Mutant& mutant : variant.table.mutants) {
      if (mutant.kind == model::MutantKind::Launch || number++ % step != 0)
        continue;
      const auto& changes = variant.changes.at(mutant.id);
      auto patch = passes::mutation::patch(flat, names, changes);
      if (!patch) {
        const std::string reason = llvm::toString(patch.takeError());
        INFO(reason);
        CHECK(reason.find("is no patch of a file") != std::string::npos);
        ++no_patch_;
        continue;
      }
      const std::string name = fmt::format("m{}", mutants_.size());
      fs::create_directories(folder_ / name);
      for (const fs::path& file : files)
        fs::copy_file(file, folder_ / name / file.filename());
      for (const fs::path& file : files)
        for (const char* side : {"--- a/", "+++ b/"}) {
          const std::string from = side + file.filename().string();
          if (const std::size_t at = patch->find(from + "\n"); at != std::string::npos)
            patch->insert(at + 6, name + "/");
        }
      all_ += *patch;
      mutants_.push_back({folder_ / name / files.front().filename(),
                          words_of(passes::mutation::changed(flat, changes)),
                          fmt::format("{}: {} '{}' -> '{}'\n{}", files.front().filename().string(),
                                      mutant.id, mutant.text, mutant.replacement, *patch)});
    }
    return true;
  }

  // Returns how many there were.
  std::size_t check() {
    const fs::path file = folder_ / "all.patch";
    std::ofstream(file, std::ios::binary) << all_;
    const std::string command =
        fmt::format("cd '{}' && patch -p1 --fuzz=0 -s < all.patch", folder_.string());
    CHECK(std::system(command.c_str()) == 0);
    for (const Expected& one : mutants_) {
      INFO(one.description);
      auto flat = frontend::flatten(options_at(one.file));
      if (!flat) {
        FAIL_CHECK(llvm::toString(flat.takeError()));
        continue;
      }
      CHECK(words_of(*flat) == one.tokens);
    }
    return mutants_.size();
  }

  std::size_t no_patch() const { return no_patch_; }

private:
  struct Expected {
    fs::path file;
    std::string tokens, description;
  };
  fs::path folder_ = fs::temp_directory_path() / fmt::format("gputest_patches_{}", ::getpid());
  std::string all_;
  std::vector<Expected> mutants_;
  std::size_t no_patch_ = 0;
};

// A kernel in which macros stand wherever they can.
class MacroKernelGenerator {
public:
  explicit MacroKernelGenerator(std::uint32_t seed) : random_(seed) {}

  std::string run() {
    std::string text = "#define WIDTH 4\n#define ID(x) x\n#define TWICE(x) ((x) + (x))\n"
                       "#define PLUS +\n#define NEG -x\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n"
                       "#define SET(to, value) to = value\n#define CALL(f, ...) f(__VA_ARGS__)\n"
                       "#define PASTE(a, b) a##b\n#define AT(i) in[i]\n#define EMPTY\n"
                       "#define WHEN(c) if (c)\n#define BOTH(a, b) do { a; b; } while (0)\n"
                       "#define LOOP(i, n) for (int i = 0; i < n; ++i)\n#define OPEN (x\n"
                       "#define NESTED(x) MAX(TWICE(x), WIDTH)\n"
                       "kernel void test(global int* out, global const int* in) {\n"
                       "  int x = in[get_global_id(0)], y = 2;\n";
    for (unsigned i = 0, count = 2 + pick(3); i < count; ++i)
      text += statement(2);
    return text + "  out[get_global_id(0)] = x; }" + (pick(2) ? "\n" : "");
  }

private:
  unsigned pick(unsigned below) {
    return std::uniform_int_distribution<unsigned>(0, below - 1)(random_);
  }

  // A macro's argument. What OPEN opens would be closed by its call's parenthesis.
  std::string argument(int depth) {
    std::string text = value(depth);
    while (text.find("OPEN") != std::string::npos)
      text = value(depth);
    return text;
  }

  std::string value(int depth) {
    switch (pick(depth > 0 ? 17 : 5)) {
    case 0:
      return "x";
    case 1:
      return "y";
    case 2:
      return std::to_string(pick(5));
    case 3:
      return "WIDTH";
    case 4:
      return "NEG";
    case 5:
      return fmt::format("ID({})", argument(depth - 1));
    case 6:
      return fmt::format("TWICE({})", argument(depth - 1));
    case 7:
      return fmt::format("({} PLUS {})", value(depth - 1), value(depth - 1));
    case 8:
      return fmt::format("MAX({},\n  {})", argument(depth - 1), argument(depth - 1));
    case 9:
      return fmt::format("CALL(min, {}, {})", argument(depth - 1), argument(depth - 1));
    case 10:
      return "PASTE(x, )";
    case 11:
      return fmt::format("AT({} & 3)", argument(depth - 1));
    case 12:
      return fmt::format("OPEN * {})", value(depth - 1));
    case 13:
      return fmt::format("NESTED({})", argument(depth - 1));
    case 14:
      return fmt::format("(x -{} EMPTY /* {} */)", value(depth - 1), value(0));
    case 15:
      return fmt::format("(ID(y) & ID({}))", argument(depth - 1));
    default:
      return fmt::format("({} + {})", value(depth - 1), value(depth - 1));
    }
  }

  std::string statement(int depth) {
    switch (pick(depth > 0 ? 12 : 4)) {
    case 0:
      return fmt::format("  x = {};\n", value(2));
    case 1:
      return fmt::format("  SET(y, {});\n", argument(2));
    case 2:
      return fmt::format("  x += {}; y -= WIDTH; // WIDTH\n", value(1));
    case 3:
      return fmt::format("  EMPTY y = {} EMPTY;\n", value(1));
    case 4:
      return fmt::format("  WHEN({} > 2) {{\n{}  }}\n", argument(1), block(depth));
    case 5:
      return fmt::format("  if (x < WIDTH && {} > y) {{\n{}  }}\n", value(1), block(depth));
    case 6:
      return fmt::format("  BOTH(x = {}, y = x);\n", argument(1));
    case 7:
      return fmt::format("  LOOP(i{0}, {1}) {{\n{2}  }}\n", next_++, pick(3), block(depth));
    case 8: // one of two statements, by a directive
      return fmt::format("  if (y > 1)\n#{} WIDTH\n  {}\n#else\n  {}\n#endif\n",
                         pick(2) ? "ifdef" : "ifndef", statement(0), statement(0));
    case 9:
      return fmt::format("#line {} \"elsewhere.cl\"\n{}", 1 + pick(90), statement(depth - 1));
    case 10: {
      std::string later = value(1); // on one line, as a directive is
      std::ranges::replace(later, '\n', ' ');
      return fmt::format(
          "  {{\n#define LATER {}\n  x ^= LATER;\n  }}\n  y = LATER;\n#undef LATER\n", later);
    }
    default:
      return fmt::format("#include \"inner.h\"\n");
    }
  }

  std::string block(int depth) { return statement(depth - 1) + statement(depth - 1); }

  std::mt19937 random_;
  unsigned next_ = 0;
};

} // namespace

TEST_CASE("every mutant of the golden kernels is a patch", "[patch]") {
  Patches patches;
  for (const char* folder : {"mutation", "coverage"})
    for (const fs::path& file : tests::cases(folder)) {
      std::vector<fs::path> files{file};
      if (file.stem() == "includes")
        files.push_back(file.parent_path() / "shared.h");
      CHECK(patches.add(files, tests::random_stride(40)));
    }
  CHECK(patches.check() > 80);
  CHECK(patches.no_patch() == 0);
}

TEST_CASE("every mutant of random kernels full of macros is a patch", "[patch]") {
  const std::size_t programs = tests::random_count(3);
  const fs::path folder = fs::temp_directory_path() / fmt::format("gputest_patched_{}", ::getpid());
  fs::create_directories(folder);
  std::ofstream(folder / "inner.h") << "  y = y * 2 + WIDTH;\n";
  Patches patches;
  unsigned valid = 0;
  for (std::uint32_t seed = 1; seed <= programs; ++seed) {
    const fs::path file = folder / fmt::format("random{}.cl", seed);
    std::ofstream(file) << MacroKernelGenerator(seed).run();
    valid += patches.add({file, folder / "inner.h"}, 2) ? 1 : 0;
  }
  const std::size_t applied = patches.check();
  CHECK(valid * 4 >= programs * 3);
  CHECK(applied > programs * 10);
  CHECK(patches.no_patch() * 10 < applied);
  fs::remove_all(folder);
}

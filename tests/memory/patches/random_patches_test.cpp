// Patches of random kernels leave the results, also of other builds and launches than the one for
// which they were proposed.
#include "frontend/languages/languages.h"
#include "ir/error.h"
#include "memory/kernel.h"
#include "memory/patches/candidates.h"
#include "model/files.h"
#include "passes/mutation/patch.h"
#include "process/scratch_folder.h"
#include "tests/catch.h"
#include "tests/memory/traced.h"
#include "tests/random_count.h"

#include <fmt/format.h>
#include <map>
#include <random>

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;

namespace {

// A kernel k(in, out, n) of groups of W x W work-items, n of which lie side by side. W is 8, if a
// build does not say something else. There may be a macro MORE.
class RandomText {
public:
  explicit RandomText(std::uint64_t seed) : random_(seed) {}

  std::string kernel() {
    const bool flat = is_one_in(3);
    const std::string size = one_of({"W", "W", "16", "W + 1", "(W * 2)", "SIZE", "0x10", "16u"});
    const std::string columns =
        one_of({size, size, "W", "16", "W + 3"}); // each is at least W, which is at most 16
    declared_ =
        flat ? fmt::format("[({}) * ({})]", size, columns) : fmt::format("[{}][{}]", size, columns);
    if (flat && is_one_in(3))
      declared_ = "[256]";
    element_ = [=](const std::string& row, const std::string& column) {
      return flat ? fmt::format("tile[({}) * W + {}]", row, column)
                  : fmt::format("tile[{}][{}]", row, column);
    };
    std::string body;
    const unsigned steps = 1 + draw(3);
    for (unsigned i = 0; i < steps; ++i)
      body += step();
    return fmt::format(
        "#ifndef W\n#define W 8\n#endif\n#define SIZE (W + W / 2)\n"
        "#define NEXT(i) (((i) + 1) % W)\n#define BACK(i) W - 1 - i\n{0}"
        "int plus(local int* p, int i) {{ return *p + i; }}\n{1}"
        "kernel void k(global const int* in, global int* out, int n) {{\n"
        "  local int tile{2};\n  local int sum;\n"
        "  const int x = get_local_id(0), y = get_local_id(1);\n"
        "  const int gx = {3}, gy = {4};\n"
        "  int v = in[gy * n + gx];\n  {5} = v + {6};\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "{7}  out[gy * n + gx] = v;\n}}\n",
        is_one_in(6) ? fmt::format("#define AT(r, c) {}\n", element_("r", "c"))
                     : fmt::format("#define AT(r, c) (c)\n"),
        helper(), declared_, global_id(0), global_id(1), element_("y", "x"), id(), body);
  }

private:
  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }
  bool is_one_in(unsigned count) { return draw(count) == 0; }
  std::string one_of(const std::vector<std::string>& texts) {
    return texts[draw(static_cast<unsigned>(texts.size()))];
  }

  std::string global_id(unsigned dimension) {
    const std::string own = fmt::format("get_global_id({})", dimension);
    return one_of(
        {own, own, own,
         fmt::format("get_group_id({0}) * get_local_size({0}) + get_local_id({0})", dimension),
         fmt::format("(int)get_global_id({0}) - (int)get_global_offset({0})", dimension),
         fmt::format("get_global_id({} - {})", dimension + 1, 1)});
  }

  // A number that depends on ids or sizes.
  std::string id() {
    return one_of({"0", "0", "x", "(int)get_group_id(1)", "(int)get_num_groups(0)",
                   "(int)get_global_size(1)", "(int)get_local_id(2)", "own()",
                   "(int)get_work_dim()"});
  }

  std::string helper() {
    return fmt::format("int own() {{ return {}; }}\n",
                       one_of({"1", "1", "(int)get_global_id(0)", "(int)get_group_id(1) + 2"}));
  }

  std::string index() {
    return one_of({"x", "y", "x", "y", "NEXT(x)", "NEXT(y)", "BACK(x)", "x ^ 1", "y & 3",
                   "(x + y) % W", "x < 2 ? y : x", "(int)get_local_id(0)"});
  }

  std::string step() {
    const std::string element = element_(index(), index());
    switch (draw(9)) {
    case 0:
      return fmt::format("  if (x > 1)\n    v += {};\n", element);
    case 1:
      return fmt::format("#ifdef MORE\n  v += {};\n#endif\n", element);
    case 2:
      return fmt::format("#ifdef MORE\n  v += (int)get_global_id({});\n#endif\n", draw(2));
    case 3:
      return "  v += plus(" + one_of({"&", "&", "1 + &"}) + element + ", x);\n";
    case 4:
      return fmt::format("  v += AT({}, {});\n", index(), index());
    case 5:
      return "  barrier(CLK_LOCAL_MEM_FENCE);\n  atomic_add(&" + element +
             ", 3);\n  barrier(CLK_LOCAL_MEM_FENCE);\n";
    case 6:
      return fmt::format("  for (int i = 0; i < W; ++i)\n    v = 3 * v + {};\n",
                         element_(one_of({"i", "x"}), one_of({"i", "y"})));
    default:
      return fmt::format("  v = 2 * v + {};\n", element);
    }
  }

  std::mt19937_64 random_;
  std::string declared_;
  std::function<std::string(const std::string&, const std::string&)> element_;
};

struct Build {
  unsigned width = 8;
  std::vector<std::string> definitions{};
};

// Returns what the kernel leaves in `out`; nothing: it fails, as it may read behind a row.
std::optional<std::vector<std::byte>> results(const std::string& file, const Build& build,
                                              bool swapped) {
  frontend::SourceOptions options;
  options.file = file;
  options.definitions = build.definitions;
  const Kernel kernel = kernel_of(options, "k");
  const std::size_t width = build.width, across = 3 * width, down = 2 * width;
  std::vector<int> in(across * down);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int>(i * i % 1009);
  TracedLaunch launch{
      .sizes = {.dimensions = 2, .global = {across, down, 1}, .local = {width, width, 1}},
      .arguments = {buffer(in), buffer(std::vector<int>(in.size())),
                    value(static_cast<int>(across))}};
  if (swapped)
    std::swap(launch.sizes.global[0], launch.sizes.global[1]);
  std::vector<std::byte> bytes;
  try {
    Tracer(kernel.source, "k").trace(launch, {32}, &bytes);
  } catch (const ir::InputError&) {
    return std::nullopt;
  }
  return bytes;
}

} // namespace

TEST_CASE("Patches of random kernels leave the results of all builds") {
  const std::vector<Build> builds{
      {}, {.width = 16, .definitions = {"W=16"}}, {.definitions = {"MORE"}}};
  std::map<std::string, std::size_t> tried; // by the first words of the patch
  for (const std::uint64_t seed : gputest::tests::random_seeds(20)) {
    const process::ScratchFolder folder("random-patches");
    const std::string file = (folder.path() / "k.cl").string(),
                      changed = (folder.path() / "changed.cl").string();
    const std::string text = RandomText(seed).kernel();
    INFO("seed " << seed << "\n" << text);
    model::write_atomically(file, text);
    frontend::SourceOptions options;
    options.file = file;
    const frontend::FlatSource flat = llvm::cantFail(frontend::read_file(options));
    std::vector<Candidate> all;
    llvm::cantFail(frontend::parse_file(flat, options, [&](const frontend::Tree& tree) {
      all = candidates(
          tree, {.kernel = "k", .conflicting = {"tile"}, .uncoalesced = true, .bank_row = 32});
      return llvm::Error::success();
    }));
    for (const Candidate& candidate : all) {
      const auto files = llvm::cantFail(passes::mutation::patched(flat, candidate.changes));
      REQUIRE(files.size() == 1);
      model::write_atomically(changed, files.front().after);
      INFO(candidate.text << "\n" << files.front().after);
      for (const Build& build : builds)
        if (const auto before = results(file, build, false)) {
          ++tried[candidate.text.substr(0, 12)];
          CHECK(results(changed, build, candidate.swaps_dimensions) == before);
        }
    }
  }
  for (const char* kind :
       {"rows of 'til", "the subscrip", "the columns ", "an element l", "the first tw"}) {
    INFO(kind);
    CHECK(tried[kind] > 0);
  }
}

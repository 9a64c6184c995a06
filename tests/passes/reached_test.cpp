// Functions that no kernel reaches have neither mutants nor sites.
#include "frontend/cuda/unit.h"
#include "frontend/flatten.h"
#include "model/language.h"
#include "passes/coverage/coverage.h"
#include "passes/mutation/mutants.h"
#include "process/scratch_folder.h"
#include "tests/catch.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace gputest;

struct Row {
  std::string name; // of the file
  std::string text;
  std::set<std::string> reached; // functions with mutants and sites
  unsigned left_out;
};

const std::vector<Row> kRows{
    {"calls.cl",
     "int unused(int x) { return x + 1; }\n"
     "int of_unused(int x);\n"
     "int deep(int x) { return x > 2 ? x + 2 : x; }\n"
     "int used(int x) { return deep(x) + 3; }\n"
     "int of_unused(int x) {\n  return unused(x) > 3 ? 1 : 2;\n}\n"
     "kernel void k(global int* a) { a[0] = used(a[1]) + 4; }\n",
     {"deep", "used", "k"},
     2},
    {"kernels.cl",
     "int of_both(int x) { return x + 1; }\n"
     "kernel void one(global int* a) { a[0] = of_both(a[1]); }\n"
     "kernel void two(global int* a) { one(a); a[2] = of_both(a[3]) + 1; }\n",
     {"of_both", "one", "two"},
     0},
    {"no_kernel.cl", "int alone(int x) { return x + 1; }\n", {"alone"}, 0},
    {"calls.cu",
     "__device__ int unused(int x) { return x + 1; }\n"
     "__device__ int used(int x) { return x > 2 ? x + 3 : x; }\n"
     "__global__ void k(int* a) { a[0] = used(a[1]) + 4; }\n",
     {"used", "k"},
     1},
    {"templates.cu",
     "template <class T> __device__ T unused(T x) { return x + 1; }\n"
     "template <class T> __device__ T used(T x) { return x > 2 ? x + 3 : x; }\n"
     "__device__ int of_unused(int x) { return unused(x) + 2; }\n"
     "template <class T> __global__ void k(T* a) { a[0] = used(a[1]) + 4; }\n"
     "template __global__ void k<int>(int*);\n",
     {"used", "k"},
     2},
    {"pointers.cu",
     "__device__ int direct(int x) { return x + 1; }\n"
     "__device__ int in_table(int x) { return x + 2; }\n"
     "__device__ int for_host(int x) { return x + 3; }\n"
     "__device__ int unused(int x) { return x + 4; }\n"
     "typedef int (*Function)(int);\n"
     "__device__ Function table[] = {in_table};\n"
     "__device__ Function given = for_host;\n"
     "__global__ void k(int* a, Function f) {\n"
     "  Function g = direct;\n"
     "  a[0] = g(a[1]) + table[0](a[2]) + f(a[3]);\n}\n",
     {"direct", "in_table", "for_host", "k"},
     1},
    {"classes.cu",
     "__device__ int by_default() { return 3 + 4; }\n"
     "__device__ int unused() { return 5 + 6; }\n"
     "struct Part {\n"
     "  int x;\n"
     "  __device__ Part(int y) : x(y + 1) { x += 2; }\n"
     "  __device__ ~Part() { x -= 3; }\n"
     "  __device__ int operator()(int z = by_default()) const { return x + z; }\n"
     "  __device__ int other() const { return x - 1; }\n"
     "};\n"
     "__global__ void k(int* a) {\n"
     "  Part part(a[1]);\n"
     "  auto add = [](int x) { return x + 7; };\n"
     "  a[0] = part() + add(a[2]);\n}\n",
     {"by_default", "Part::Part", "Part::~Part", "Part::operator()", "k", "k::lambda"},
     2}};

std::string look_at(const fs::path& file, const std::function<void(const frontend::Tree&)>& look) {
  const auto use = [&](const frontend::Tree& tree) {
    look(tree);
    return llvm::Error::success();
  };
  const std::string root = file.parent_path().string();
  if (model::language_of(file) == model::Language::OpenCL) {
    frontend::SourceOptions options;
    options.file = file.string();
    options.source_root = root;
    return llvm::toString(
        frontend::parse(llvm::cantFail(frontend::flatten(options)), options, use));
  }
  const std::string toolkit = GPUTEST_CUDA_TOOLKIT;
  const frontend::CudaOptions options{
      .file = file.string(),
      .arguments = {GPUTEST_CLANG, "-x", "cuda", "-nocudainc", "-nocudalib",
                    "--cuda-path=" + toolkit, "--cuda-gpu-arch=sm_80", "-isystem",
                    toolkit + "/include", "-include", "cuda_runtime.h", "-Xclang",
                    "-target-sdk-version=12.5", "-Wno-unknown-cuda-version", "-std=c++17"},
      .source_root = root};
  return llvm::toString(
      frontend::parse_cuda(llvm::cantFail(frontend::read_cuda(options)), options, use));
}

} // namespace

TEST_CASE("functions that no kernel reaches are left out", "[mutation][coverage]") {
  const process::ScratchFolder folder("gputest-reached");
  for (const Row& row : kRows) {
    INFO(row.name);
    const fs::path file = folder.path() / row.name;
    std::ofstream(file) << row.text;
    std::set<std::string> mutated, covered;
    const std::string problem = look_at(file, [&](const frontend::Tree& tree) {
      const model::MutantTable table = passes::mutation::mutate(tree, row.name).table;
      CHECK(table.left_out == row.left_out);
      for (const model::Mutant& mutant : table.mutants)
        if (mutant.kind == model::MutantKind::Switched)
          mutated.insert(mutant.function);
      const model::SiteTable sites =
          tree.language() == model::Language::Cuda
              ? passes::instrument_cuda_coverage(tree, row.name, "", false).sites
              : passes::instrument_coverage(tree, row.name).sites;
      CHECK(sites.left_out == row.left_out);
      for (const model::Site& site : sites.sites)
        covered.insert(site.function);
    });
    CHECK(problem == "");
    CHECK(mutated == row.reached);
    for (const std::string& function : covered)
      CHECK(row.reached.contains(function));
    CHECK(covered.contains("k") == row.reached.contains("k"));
  }
}

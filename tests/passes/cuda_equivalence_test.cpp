// Which mutants of CUDA code are proved equivalent, and which must not be.
#include "frontend/cuda/unit.h"
#include "passes/equivalence/equivalence.h"
#include "passes/mutation/cuda.h"
#include "tests/catch.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace gputest;

struct HowCompiled {
  bool relocatable = false;
  bool later = false; // by way of bitcode
  std::vector<std::string> architectures{"80"};
  std::string unit = "unit"; // empty: kernels are launched by themselves
  std::string appended{};    // to the text that is compared
};

class MarkedUnit {
public:
  explicit MarkedUnit(const std::string& source, const HowCompiled& how = {}) {
    const fs::path file = fs::temp_directory_path() /
                          ("gputest_cuda_equivalence_" + std::to_string(::getpid()) + ".cu");
    std::ofstream(file) << source;
    try {
      mark(file, how);
    } catch (...) {
      fs::remove(file);
      throw;
    }
    fs::remove(file);
  }

  // Whether the mutant of the function is "equivalent" to the original, or "different" from it.
  std::string operator()(const std::string& function, const std::string& text,
                         const std::string& replacement) const {
    const model::Mutant* const found = find(function, text, replacement);
    return !found              ? "it is not there, or several times"
           : found->equivalent ? "equivalent"
                               : "different";
  }

  // What it is a duplicate of: "text -> replacement".
  std::string first(const std::string& function, const std::string& text,
                    const std::string& replacement) const {
    const model::Mutant* const found = find(function, text, replacement);
    const model::Mutant* const first = found ? table.find(found->duplicate_of) : nullptr;
    return first ? first->text + " -> " + first->replacement : "";
  }

  // "text -> replacement" of the function's mutants that are equivalent.
  std::vector<std::string> of(const std::string& function) const {
    std::vector<std::string> all;
    for (const model::Mutant& mutant : table.mutants)
      if (mutant.function == function && mutant.equivalent)
        all.push_back(mutant.text + " -> " + mutant.replacement);
    return all;
  }

  model::MutantTable table;
  std::size_t codes = 0;

private:
  const model::Mutant* find(const std::string& function, const std::string& text,
                            const std::string& replacement) const {
    const model::Mutant* found = nullptr;
    for (const model::Mutant& mutant : table.mutants)
      if (mutant.function == function && mutant.text == text && mutant.replacement == replacement) {
        if (found)
          return nullptr;
        found = &mutant;
      }
    return found;
  }

  void mark(const fs::path& file, const HowCompiled& how) {
    const std::string toolkit = GPUTEST_CUDA_TOOLKIT;
    passes::CudaWays ways{.options = {}, .relocatable = how.relocatable};
    for (const std::string& architecture : how.architectures)
      ways.options.push_back(
          {.file = file.string(),
           .arguments = {GPUTEST_CLANG, "-x", "cuda", "-nocudainc", "-nocudalib",
                         "--cuda-path=" + toolkit, "--cuda-gpu-arch=sm_" + architecture, "-isystem",
                         toolkit + "/include", "-include", "cuda_runtime.h", "-Xclang",
                         "-target-sdk-version=12.5", "-Wno-unknown-cuda-version", "-std=c++17"},
           .source_root = ""});
    auto flat = frontend::read_cuda(ways.options.front());
    if (!flat)
      throw std::runtime_error(llvm::toString(flat.takeError()));
    passes::mutation::CudaMutants mutants;
    if (llvm::Error error = frontend::parse_cuda(
            *flat, ways.options.front(), [&](const frontend::Tree& tree) -> llvm::Error {
              mutants = passes::mutation::mutate_cuda(tree, "k.cu", how.unit);
              return llvm::Error::success();
            }))
      throw std::runtime_error(llvm::toString(std::move(error)));
    table = std::move(mutants.table);
    const std::string text = mutants.device + how.appended;
    if (!how.later)
      return passes::mark_equivalent(table, text, ways);
    const std::vector<std::string> code = passes::code_to_compare(table, text, ways);
    codes = code.size();
    passes::mark_equivalent(table, code, {});
  }
};

std::string cuda_kernel(const std::string& name, const std::string& body) {
  return "__global__ void " + name +
         "(int* out, const int* in, int n, unsigned m, float x) {\n"
         "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         body + "\n}\n";
}

using All = std::vector<std::string>;

} // namespace

TEST_CASE("CUDA mutants that compute the same are equivalent", "[cuda]") {
  const std::string source =
      cuda_kernel("ids", "if (threadIdx.x > 0) out[i] = 1;") +
      cuda_kernel("loop", "for (int j = 0; j < 8; ++j) out[8 * i + j] = n;") +
      cuda_kernel("once", "out[i] = in[i] * 1;") +
      cuda_kernel("sizes", "if (blockDim.x >= 1) out[i] = 1;") +
      cuda_kernel("same", "int sum = 0; sum += in[i]; out[i] = sum;") +
      "struct At { int i; __device__ bool is_first() const { return i <= 0; } };\n"
      "__device__ __noinline__ bool holds(const At& at) { return at.is_first(); }\n" +
      cuda_kernel("called", "const At at{(int)threadIdx.x}; auto set = [&](int* a) { a[i] = 1; };"
                            " if (holds(at)) set(out);");
  for (const char* const unit : {"unit", ""}) {
    const MarkedUnit marked(source, {.unit = unit});
    CHECK(marked.of("ids") == All{"threadIdx.x > 0 -> threadIdx.x != 0"});
    CHECK(marked("loop", "j < 8", "j != 8") == "equivalent");
    CHECK(marked("once", "in[i] * 1", "in[i] / 1") == "equivalent");
    CHECK(marked("sizes", "blockDim.x >= 1", "blockDim.x > 1") == "different");
    CHECK(marked("same", "sum += in[i]", "sum |= in[i]") == "equivalent"); // of 0
    CHECK(marked("same", "sum += in[i]", "sum &= in[i]") == "different");
    CHECK(marked.first("same", "sum += in[i]", "sum &= in[i]") == "sum += in[i] -> sum *= in[i]");
    CHECK(marked.of("At::is_first") == All{"i <= 0 -> i == 0"}); // a method, through references
  }
}

TEST_CASE("a mutant of a template is equivalent if all that is made of it is", "[cuda]") {
  std::string source;
  const std::map<std::string, All> made{{"of_u", {"unsigned"}},
                                        {"of_uc", {"unsigned", "unsigned char"}},
                                        {"of_i", {"int"}},
                                        {"of_ui", {"unsigned", "int"}}};
  for (const auto& [name, types] : made) {
    source += "template <typename T> __global__ void " + name +
              "(T* out, T n) {\n  if (n > T(0)) out[threadIdx.x] = 1;\n}\n";
    for (const std::string& type : types)
      source +=
          "template __global__ void " + name + "<" + type + ">(" + type + "*, " + type + ");\n";
  }
  const MarkedUnit marked(source);
  CHECK(marked("of_u", "n > T(0)", "n != T(0)") == "equivalent");
  CHECK(marked("of_uc", "n > T(0)", "n != T(0)") == "equivalent");
  CHECK(marked("of_i", "n > T(0)", "n != T(0)") == "different");
  CHECK(marked("of_ui", "n > T(0)", "n != T(0)") == "different");
}

TEST_CASE("what no kernel enters, and launches, are never equivalent", "[cuda]") {
  const std::string source =
      "__device__ bool alone(unsigned a) { return a > 0; }\n"
      "__device__ bool called(int a) { return a > 0; }\n"
      "__device__ bool taken(int a) { return a > 0; }\n"
      "__device__ bool (*function)(int) = taken;\n"
      "__host__ __device__ bool shared(unsigned a) {\n"
      "#ifndef __CUDA_ARCH__\n  a -= 1;\n#endif\n  return a > 0; }\n" +
      cuda_kernel("k", "out[i] = called(threadIdx.x) + taken(threadIdx.x) + shared(m);") +
      "void host(int* a) { k<<<4, 64>>>(a, a, 1, 1, 1); }\n";
  const MarkedUnit marked(source), relocatable(source, {.relocatable = true});
  for (const MarkedUnit* const one : {&marked, &relocatable}) {
    CHECK((*one)("taken", "a > 0", "a != 0") == "different");   // it is called with anything
    CHECK((*one)("shared", "a > 0", "a != 0") == "equivalent"); // the program changes the device's
    std::size_t launches = 0;
    for (const model::Mutant& mutant : one->table.mutants)
      if (mutant.operators.front().starts_with("alloc_")) {
        ++launches;
        CHECK_FALSE(mutant.equivalent);
        CHECK(mutant.duplicate_of.empty());
      }
    CHECK(launches > 0);
  }
  CHECK(marked("alone", "a > 0", "a != 0") == "different"); // nobody can call it
  CHECK(marked("called", "a > 0", "a != 0") == "equivalent");
  CHECK(relocatable("alone", "a > 0", "a != 0") == "equivalent");
  CHECK(relocatable("called", "a > 0", "a != 0") == "different"); // by other units
}

TEST_CASE("what a GPU or the simulator notices is part of CUDA code", "[cuda]") {
  const MarkedUnit marked(
      cuda_kernel("reads", "int unused = in[i + 1]; out[i] = 1;") +
      cuda_kernel("writes", "int a[4] = {}; a[n] = 1; out[i] = 2;") +
      cuda_kernel("within", "int a[4] = {}; a[3] = n; out[i] = 2;") +
      cuda_kernel("divides", "int unused = n / (int)m; out[i] = 1;") +
      cuda_kernel("by_three", "int unused = n / 3; out[i] = 1;") +
      cuda_kernel("waits", "__shared__ int s[64]; s[threadIdx.x] = n; __syncthreads();"
                           "out[i] = s[threadIdx.x];") +
      cuda_kernel("warp", "__shared__ int s[64]; s[threadIdx.x] = n; __syncwarp();"
                          "out[i] = s[threadIdx.x ^ 1];") +
      cuda_kernel("both", "if (n > 0) { __syncthreads(); } else { __syncthreads(); } out[i] = 1;") +
      cuda_kernel("watched", "volatile int v = 0; v = n; v = m; out[i] = 1;") +
      cuda_kernel("traps", "if (n == 3) __trap(); out[i] = 1;"));
  CHECK(marked("reads", "i + 1", "i - 1") == "different");
  CHECK(marked("writes", "a[n] = 1", "a[n] *= 1") == "different");
  CHECK(marked("writes", "a[n] = 1;", ";") == "different");
  CHECK(marked("within", "a[3] = n;", ";") == "equivalent");
  CHECK(marked("divides", "n / (int)m", "n * (int)m") == "different");
  CHECK(marked("by_three", "n / 3", "n * 3") == "equivalent");
  CHECK(marked.of("waits").empty());
  CHECK(marked.of("warp").empty());
  CHECK(marked.of("both").empty());
  CHECK(marked("watched", "v = n;", ";") == "different");
  CHECK(marked("traps", "n == 3", "n >= 3") == "different");
}

TEST_CASE("what C++ leaves undefined proves no mutant of CUDA code equivalent", "[cuda]") {
  const MarkedUnit marked(
      cuda_kernel("wraps", "out[i] = n + 1 > n;") +
      cuda_kernel("shifts", "const unsigned a = n > 5 ? m << 31 : m; out[i] = a;") +
      cuda_kernel("promises",
                  "const bool holds = n >= 0; __builtin_assume(holds); if (n > 0) out[i] = 1;") +
      "__device__ int sign(int a) { if (a > 0) return 1; if (a <= 0) return -1; }\n" +
      cuda_kernel("returns", "out[i] = sign(n);") +
      "__device__ int sum(const int& p) { return (unsigned long long)&p > 0 ? 1 : 2; }\n" +
      cuda_kernel("refers", "out[i] = sum(*(in + n));") +
      cuda_kernel("unset",
                  "int a; if (threadIdx.x == 0) a = n; if (threadIdx.x == 0) out[i] = a;"));
  CHECK(marked("wraps", "n + 1 > n", "n + 1 != n") == "different");
  CHECK(marked("shifts", "31", "32") == "different"); // PTX shifts all bits out
  CHECK(marked("promises", "n > 0", "n != 0") == "different");
  CHECK(marked("sign", "a <= 0", "a < 0") == "different");
  CHECK(marked("sum", "(unsigned long long)&p > 0", "(unsigned long long)&p >= 0") == "different");
}

TEST_CASE("floating-point code is equivalent if its operations are the same", "[cuda]") {
  // Compilers fuse a product with a sum, and which one they choose depends on the order.
  const MarkedUnit marked(
      "__device__ float dot(float a, float b, float c, float d, int s) {\n"
      "  if (s > 0) return a * b + c * d; return c * d + a * b; }\n" +
      cuda_kernel("ordered", "out[i] = dot(x, x + 1, x + 2, x + 3, n);") +
      "__device__ float once(float a) { return a * 1.0f; }\n" +
      cuda_kernel("times", "out[i] = once(x);") +
      cuda_kernel("roots", "if (threadIdx.x > 0) out[i] = sqrtf(x) * x + 1.0f;"));
  CHECK(marked.of("dot").empty());
  CHECK(marked("once", "a * 1.0f", "a / 1.0f") == "different");
  CHECK(marked("roots", "threadIdx.x > 0", "threadIdx.x != 0") == "equivalent");
}

TEST_CASE("code for several architectures is equivalent for each", "[cuda]") {
  const std::string source =
      "#if __CUDA_ARCH__ >= 900\nconstexpr int kLeast = 1;\n#else\n"
      "constexpr int kLeast = 0;\n#endif\n" +
      cuda_kernel("k", "const int a = threadIdx.x; if (a - 1 > kLeast - 1) out[i] = 1;");
  const auto marked = [&](const All& architectures) {
    return MarkedUnit(source, {.architectures = architectures})("k", "a - 1 > kLeast - 1",
                                                                "a - 1 != kLeast - 1");
  };
  CHECK(marked({"80", "86"}) == "equivalent");
  CHECK(marked({"80", "90"}) == "different");
}

TEST_CASE("code that is compared later is compared as it was compiled", "[cuda]") {
  const std::string source = "__device__ bool is_above(int a) { return a > 0; }\n" +
                             cuda_kernel("k", "out[i] = is_above(threadIdx.x);");
  const MarkedUnit later(source, {.later = true, .architectures = {"80", "86"}});
  CHECK(later.codes == 2);
  CHECK(later("is_above", "a > 0", "a != 0") == "equivalent");
  CHECK(MarkedUnit(source, {.relocatable = true, .later = true})("is_above", "a > 0", "a != 0") ==
        "different");
}

TEST_CASE("CUDA code that does not compile for the comparison is named", "[cuda]") {
  for (const bool later : {false, true}) {
    const MarkedUnit wrong(cuda_kernel("k", "if (threadIdx.x > 0) out[i] = 1;"),
                           {.later = later, .appended = "unknown_word;\n"});
    CHECK(wrong.of("k").empty());
    CHECK(wrong.codes == 0);
    const auto note = std::ranges::find(wrong.table.not_mutated, "equivalent mutants",
                                        &model::NotInstrumented::construct);
    REQUIRE(note != wrong.table.not_mutated.end());
    CHECK(note->reason.starts_with("not looked for: "));
    CHECK(note->reason.find(": error: ") != std::string::npos);
  }
}

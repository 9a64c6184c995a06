// Which mutants are proved equivalent, and which must not be.
#include "frontend/flatten.h"
#include "passes/equivalence/canonical_code.h"
#include "passes/equivalence/equivalence.h"
#include "passes/mutation/ignore_comments.h"
#include "passes/mutation/mutants.h"
#include "tests/catch.h"
#include "tests/passes/golden.h"
#include "tests/passes/instrumented.h"
#include "tests/random_count.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace gputest;
using passes::CanonicalCode;
using passes::mutation::MutantVariant;

llvm::Error mutate_file(const fs::path& file, const std::string& cl_std, MutantVariant& variant,
                        std::map<std::string, std::string>& programs) {
  frontend::SourceOptions options;
  options.file = file.string();
  options.cl_std = cl_std;
  llvm::Expected<frontend::FlatSource> flat = frontend::flatten(options);
  if (!flat)
    return flat.takeError();
  if (llvm::Error error =
          frontend::parse(*flat, options, [&](const frontend::Tree& tree) -> llvm::Error {
            variant = passes::mutation::mutate(tree, "k.cl");
            return llvm::Error::success();
          }))
    return error;
  if (llvm::Error error = passes::mutation::ignore_by_comments(
          flat->dependencies, frontend::FileNames(""), variant.table.mutants))
    return error;
  for (const model::Mutant& mutant : variant.table.mutants)
    if (mutant.kind == model::MutantKind::Program)
      if (llvm::Error error =
              frontend::parse(passes::mutation::changed(*flat, variant.changes.at(mutant.id)),
                              options, [&](const frontend::Tree& tree) -> llvm::Error {
                                programs[mutant.id] =
                                    passes::mutation::guarded(tree, variant.table, true);
                                return llvm::Error::success();
                              }))
        return error;
  return llvm::Error::success();
}

class Marked {
public:
  explicit Marked(const std::string& source, bool spoil = false,
                  const std::string& cl_std = "CL2.0") {
    const fs::path file =
        fs::temp_directory_path() / ("gputest_equivalence_" + std::to_string(::getpid()) + ".cl");
    std::ofstream(file) << source;
    MutantVariant variant;
    std::map<std::string, std::string> programs;
    const std::string error = llvm::toString(mutate_file(file, cl_std, variant, programs));
    fs::remove(file);
    if (!error.empty())
      throw std::runtime_error(error);
    if (spoil)
      variant.text += "not OpenCL C\n";
    passes::mark_equivalent(variant, programs, cl_std);
    table = std::move(variant.table);
  }

  // Whether the mutant is "equivalent" to the original or "different" from it.
  std::string operator()(const std::string& text, const std::string& replacement) const {
    const model::Mutant* found = nullptr;
    for (const model::Mutant& mutant : table.mutants)
      if (mutant.text == text && mutant.replacement == replacement) {
        if (found)
          return "there are several";
        found = &mutant;
      }
    if (!found)
      return "there is none";
    if (found->equivalent)
      return "equivalent";
    return "different";
  }

  // What it is a duplicate of: "text -> replacement".
  std::string first(const std::string& text, const std::string& replacement) const {
    for (const model::Mutant& mutant : table.mutants)
      if (mutant.text == text && mutant.replacement == replacement)
        if (const model::Mutant* first = table.find(mutant.duplicate_of))
          return first->text + " -> " + first->replacement;
    return "";
  }

  std::size_t equivalent() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(table.mutants, &model::Mutant::equivalent));
  }

  model::MutantTable table;
};

std::string kernel(const std::string& body) {
  return "kernel void k(global int* out, global int* in, int n, uint m, float x) {\n"
         "  const size_t i = get_global_id(0);\n" +
         body + "\n}\n";
}

} // namespace

TEST_CASE("Groups of another shape are no mutant of a kernel that asks for none", "[mutation]") {
  const auto swapped = [](const std::string& source, const std::string& cl_std = "CL1.2") {
    const Marked marked(source, false, cl_std);
    const auto found = std::ranges::find_if(marked.table.mutants, &model::Mutant::swapped);
    return found->equivalent ? found->proof : "";
  };
  const std::string proof = "no work-item of the kernel asks about its group";
  const std::string body = "int i = get_global_id(0); if (i < get_global_size(0)) a[i] = 1;";
  const std::string plain = "kernel void k(global int* a) { " + body + " }";
  CHECK(swapped(plain) == proof);
  CHECK(swapped(plain, "CL2.0").empty()); // a last group that is not full would become full
  CHECK(swapped("int twice(int x) { return 2 * max(x, 1); }\n"
                "kernel void k(global int* a) { a[get_global_id(0)] = twice(a[0]); }") == proof);
  for (const char* asks :
       {"get_local_id(0)", "get_group_id(0)", "get_local_size(0)", "get_num_groups(0)"})
    CHECK(
        swapped(std::string("kernel void k(global int* a) { a[get_global_id(0)] = ") + asks + "; }")
            .empty());
  CHECK(swapped("uint mine() { return get_local_id(0); }\n"
                "kernel void k(global uint* a) { a[get_global_id(0)] = mine(); }")
            .empty());
  CHECK(swapped("kernel void k(global int* a) { barrier(CLK_LOCAL_MEM_FENCE); " + body + " }")
            .empty());
  CHECK(swapped("kernel void k(global int* a) { mem_fence(CLK_GLOBAL_MEM_FENCE); " + body + " }")
            .empty());
  CHECK(swapped("kernel void k(global int* a, local int* b) { " + body + " }").empty());
  CHECK(swapped("kernel void k(global int* a) { local int b; b = 1; " + body + " }").empty());
  CHECK(swapped("kernel __attribute__((reqd_work_group_size(4, 1, 1))) void k(global int* a) { " +
                body + " }")
            .empty());
  // The other mutants of the launch change what there is to do.
  const Marked marked(plain, false, "CL1.2");
  CHECK(std::ranges::count_if(marked.table.mutants, [](const model::Mutant& mutant) {
          return mutant.kind == model::MutantKind::Launch && mutant.equivalent;
        }) == 1);
}

TEST_CASE("equivalent mutants are found", "[mutation]") {
  CHECK(Marked(kernel("out[i] = m > 0;"))("m > 0", "m != 0") == "equivalent");
  CHECK(Marked(kernel("out[i] = n > 0;"))("n > 0", "n != 0") == "different");
  CHECK(Marked(kernel("out[i] = n * 1;"))("n * 1", "n / 1") == "equivalent");
  CHECK(Marked(kernel("out[i] = n * 1;"))("n * 1", "n % 1") == "different");
  CHECK(Marked(kernel("out[i] = n | 0;"))("n | 0", "n ^ 0") == "equivalent");
  CHECK(Marked(kernel("int s = 0; s = n; out[i] = s;"))("s = n", "s += n") == "equivalent");
  CHECK(Marked(kernel("int s = 0; for (uint j = 0; j < m; ++j) s += n; out[i] = s;"))(
            "j < m", "j != m") == "equivalent");
  const Marked chosen(kernel("if (m < 2 && m > 5) out[i] = n - 7;"));
  CHECK(chosen("n - 7", "n * 7") == "equivalent");
}

TEST_CASE("ranges prove comparisons the same", "[mutation]") {
  const auto loop = [](const std::string& head) {
    return kernel("int s = 0; for (" + head + ") s += in[j]; out[i] = s;");
  };
  // Constant bounds, and steps that reach them.
  CHECK(Marked(loop("int j = 0; j < 16; ++j"))("j < 16", "j != 16") == "equivalent");
  CHECK(Marked(loop("int j = 0; j < 16; j += 4"))("j < 16", "j != 16") == "equivalent");
  CHECK(Marked(loop("int j = 0; j < 18; j += 4"))("j < 18", "j != 18") == "different");
  CHECK(Marked(loop("int j = 16; j > 0; j >>= 1"))("j > 0", "j != 0") == "equivalent");
  // An unknown number: it may be negative.
  CHECK(Marked(loop("uint j = 0; j < m; ++j"))("j < m", "j != m") == "equivalent");
  CHECK(Marked(loop("int j = 0; j < n; ++j"))("j < n", "j != n") == "different");
  CHECK(Marked(loop("uint j = 0; j < m; j += 2"))("j < m", "j != m") == "different");
  CHECK(Marked(loop("uint j = 9; j > 0; --j"))("j > 0", "j != 0") == "equivalent");
  CHECK(Marked(loop("uint j = 9; j > m; --j"))("j > m", "j != m") == "different"); // m == 10
  CHECK(
      Marked(kernel("int s = 0; if (n >= 0) for (int j = 0; j < n; ++j) s += in[j]; out[i] = s;"))(
          "j < n", "j != n") == "equivalent");
  CHECK(Marked(kernel("int s = 0; for (uint j = 0; j < m; ++j) { s += in[j]; if (s > 9) j += 2; }"
                      "out[i] = s;"))("j < m", "j != m") == "different");
  CHECK(Marked(loop("uint j = 1; j < m; ++j"))("j < m", "j != m") == "different"); // m == 0
  // What the launch is like.
  CHECK(Marked(loop("int j = 0; j < (int)get_global_size(0); ++j"))(
            "j < (int)get_global_size(0)", "j != (int)get_global_size(0)") == "different");
  CHECK(Marked(loop("int j = get_local_size(0) / 2; j > 0; j >>= 1"))("j > 0", "j != 0") ==
        "equivalent");
  CHECK(Marked(kernel("const int l = get_local_id(0); out[i] = l > 0;"))("l > 0", "l != 0") ==
        "equivalent");
  CHECK(Marked(kernel("const int g = get_global_id(0); out[i] = g > 0;"))("g > 0", "g != 0") ==
        "different");
  // Conditions on the way.
  CHECK(Marked(kernel("if (n >= 3) out[i] = n > 3;"))("n > 3", "n != 3") == "equivalent");
  CHECK(Marked(kernel("if (n >= 2) out[i] = n > 3;"))("n > 3", "n != 3") == "different");
  CHECK(Marked(kernel("if (n <= 7) out[i] = n >= 7;"))("n >= 7", "n == 7") == "equivalent");
  CHECK(Marked(kernel("const uchar c = n; out[i] = c <= 255;"))("c <= 255", "c != 255") ==
        "different");
}

TEST_CASE("duplicates are found, and name the first", "[mutation]") {
  const Marked zero(kernel("if (m > 0) out[i] = n;"));
  CHECK(zero.first("m > 0", "m == 0") == "");
  CHECK(zero.first("m > 0", "m <= 0") == "m > 0 -> m == 0");
  CHECK(zero.first("m > 0", "m != 0") == ""); // equivalent
  const Marked twice(kernel("out[i] = n * 2;"));
  CHECK(twice.first("n * 2", "n + 2") == "");
  CHECK(twice.first("2", "1") == "");
  const Marked never(kernel("for (uint j = 0; j < m; ++j) out[j] = n;"));
  CHECK(never.first("j < m", "j > m") == "0 -> (-1)");
  CHECK(never.first("out[j] = n;", ";") == "0 -> (-1)");
  CHECK(never.first("++j", "--j") == "");
}

TEST_CASE("the order of what is computed does not matter", "[mutation]") {
  CHECK(Marked(kernel("int a = n * n, b = in[i]; a = 5; out[i] = a + b;"))("n * n", "n + n") ==
        "equivalent");
}

TEST_CASE("an endless loop differs from one that ends", "[mutation]") {
  const Marked empty(kernel("for (uint j = 0; j < 8; j += 1) ; out[i] = n;"));
  CHECK(empty("1", "2") == "equivalent"); // ends, and does nothing
  CHECK(empty("1", "0") == "different");
  CHECK(empty("j += 1", "j -= 1") == "equivalent"); // 0 - 1 is large
  CHECK(empty("j += 1", "j &= 1") == "different");
  CHECK(empty.first("1", "0") == empty.first("j += 1", "j &= 1")); // both for ever
  CHECK(empty("j < 8", "j != 8") == "equivalent");
  const Marked last(kernel("for (uint j = 0; j < m; ++j) ;"));
  CHECK(last("j < m", "j <= m") == "different"); // endless for UINT_MAX
}

TEST_CASE("A mutant without a barrier, or with another fence, is not equivalent", "[mutation]") {
  const Marked pointless(kernel("local int t[4]; barrier(CLK_LOCAL_MEM_FENCE); out[i] = n;"));
  for (const model::Mutant& mutant : pointless.table.mutants)
    if (mutant.text.starts_with("barrier") || mutant.text.starts_with("CLK"))
      CHECK_FALSE(mutant.equivalent);
  CHECK(pointless("barrier(CLK_LOCAL_MEM_FENCE)", ";") == "different");
  // Work-items write what others read again, whatever `restrict` says.
  const Marked again("kernel void k(global int* restrict out, global int* restrict d) {\n"
                     "  const int i = get_local_id(0);\n"
                     "  int a = d[0];\n  d[i] = i;\n  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                     "  a = d[0];\n  out[i] = a;\n}\n");
  CHECK(again("a = d[0];", ";") == "different");
  // Both ways have one, and work-items may take different ones.
  const Marked both(kernel("if (in[i] < n) barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "else barrier(CLK_LOCAL_MEM_FENCE);"));
  CHECK(both("in[i] < n", "in[i] > n") == "different");
}

TEST_CASE("what the guards report makes a difference", "[mutation]") {
  const Marked unused(kernel("int t[2]; t[1] = n; out[i] = n;"));
  CHECK(unused("1", "0") == "equivalent"); // of t[1]
  CHECK(unused("1", "2") == "different");
  const Marked read(kernel("int a = in[m + 1];"));
  CHECK(read("m + 1", "m - 1") == "different");
  const Marked divided(kernel("int a = n * (int)m;"));
  CHECK(divided("n * (int)m", "n + (int)m") == "equivalent");
  CHECK(divided("n * (int)m", "n / (int)m") == "different");
}

TEST_CASE("A mutant without a volatile access is not equivalent", "[mutation]") {
  const Marked read("kernel void k(volatile global int* p, global int* q) {\n"
                    "  int a = 0;\n  a = p[0];\n  a = q[0];\n}\n");
  CHECK(read("a = p[0];", ";") == "different");
  CHECK(std::ranges::count_if(read.table.mutants, [](const model::Mutant& mutant) {
          return mutant.kind == model::MutantKind::Program && !mutant.equivalent;
        }) == 1);
  // Atomic functions take what they get for volatile.
  const Marked counted("kernel void k(volatile global int* p) { atomic_inc(p); }\n");
  CHECK(std::ranges::count_if(counted.table.mutants, [](const model::Mutant& mutant) {
          return mutant.kind == model::MutantKind::Program && mutant.equivalent;
        }) == 1);
}

TEST_CASE("floating point numbers are not reals", "[mutation]") {
  CHECK(Marked(kernel("*(global float*)out = x + 0.0f;"))("x + 0.0f", "x - 0.0f") == "different");
  CHECK(Marked(kernel("*(global float*)out = x * 1.0f;"))("x * 1.0f", "x / 1.0f") == "equivalent");
  CHECK(Marked(kernel("out[i] = x == x;"))("x == x", "x >= x") == "equivalent");
  CHECK(Marked(kernel("out[i] = x != x;"))("x != x", "x < x") == "different");
}

TEST_CASE("undefined behaviour proves nothing", "[mutation]") {
  // Integers wrap.
  CHECK(Marked(kernel("out[i] = n + 1 > n;"))("n + 1 > n", "n + 1 != n") == "different");
  // Variables without a value have some other value.
  const Marked flipped(kernel("int s; if (m) s = 5; if (n > 3) out[i] = s;"));
  CHECK(flipped("s = 5;", ";") == "different");
  const Marked negated(kernel("int s; if (n > 2) s = 5; if (n >= 3) out[i] = s;"));
  CHECK(negated("n > 2", "n <= 2") == "different");
  const Marked added(kernel("float s; if (m) s = x; if (n) *(global float*)out = s;"));
  CHECK(added("s = x", "s += x") == "different");
  CHECK(added.first("s = x", "s -= x") == "");
  CHECK(added.first("s = x", "s /= x") == "");
  // So has __local memory; all work-items but one may have written it, or none.
  const Marked shared(kernel("local int t; if (get_local_id(0) == 0) t = 1;\n"
                             "barrier(CLK_LOCAL_MEM_FENCE); out[i] = t;"));
  CHECK(shared("get_local_id(0) == 0", "get_local_id(0) != 0") == "different");
}

TEST_CASE("a mutant is compared in each kernel that reaches it", "[mutation]") {
  const std::string both = "int sum(int a, int b) { return a + b; }\n"
                           "kernel void zero(global int* out, int n) { out[0] = sum(n, 0); }\n";
  CHECK(Marked(both)("a + b", "a - b") == "equivalent");
  CHECK(Marked(both + "kernel void one(global int* out, int n) { out[0] = sum(n, 1); }\n")(
            "a + b", "a - b") == "different");
  CHECK(Marked(both + "kernel void none(global int* out, int n) { out[0] = n; }\n")(
            "a + b", "a - b") == "equivalent");
  // A helper too large to be copied wherever it is called.
  std::string large = "int f0(int a, int b) { return a * 3 + b; }\n";
  for (int f = 1; f < 9; ++f)
    large += fmt::format("int f{0}(int a, int b) {{ return f{1}(a, b) ^ f{1}(b, a) ^ f{1}(b, b) ^ "
                         "f{1}(a, a) ^ f{1}(a + {0}, b); }}\n",
                         f, f - 1);
  large += "kernel void k(global int* out, uint n) { if (n > 0) out[0] = f8(n, 1); }\n";
  const Marked deep(large);
  CHECK(deep("n > 0", "n != 0") == "equivalent");
  CHECK(deep("a * 3", "a / 3") == "different");
}

TEST_CASE("ignored mutants are neither marked nor named", "[mutation]") {
  const Marked ignored(kernel("if (m != 0) // gputest: ignore tried\n out[i] = m > 0;"));
  CHECK(ignored("m != 0", "m > 0") == "different");
  CHECK(ignored("m > 0", "m != 0") == "equivalent");
  for (const model::Mutant& mutant : ignored.table.mutants)
    if (const model::Mutant* first = ignored.table.find(mutant.duplicate_of))
      CHECK_FALSE(first->ignored);
}

TEST_CASE("text that does not compile leaves mutants as they are, and a note", "[mutation]") {
  const Marked spoilt(kernel("out[i] = n * 1;"), true);
  CHECK(spoilt.equivalent() == 0);
  REQUIRE_FALSE(spoilt.table.not_mutated.empty());
  const model::NotInstrumented& note = spoilt.table.not_mutated.back();
  CHECK(note.construct == "equivalent mutants");
  CHECK(note.file == "k.cl");
  CHECK(note.reason.find("error: ") != std::string::npos);
  CHECK(note.reason.find('\n') == std::string::npos);
}

TEST_CASE("mutants of all test kernels can be compared", "[mutation]") {
  std::size_t number = 0;
  for (const fs::path& file : tests::cases("mutation")) {
    if (number++ % tests::random_stride(12) != 0)
      continue;
    INFO(file.string());
    MutantVariant variant;
    std::map<std::string, std::string> programs;
    REQUIRE(llvm::toString(mutate_file(file, "CL2.0", variant, programs)) == "");
    passes::mark_equivalent(variant, programs, "CL2.0");
    CHECK(std::ranges::none_of(variant.table.not_mutated, [](const model::NotInstrumented& note) {
      return note.construct == "equivalent mutants";
    }));
  }
}

// ---- the text that is compared ----

namespace {

// Compares two functions with these bodies.
bool are_equal(const std::string& a, const std::string& b) {
  CanonicalCode code;
  const auto text = [&](const std::string& body) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic error;
    const auto module = llvm::parseAssemblyString(
        "declare void @effect(i32)\ndeclare i32 @barrier() convergent nounwind willreturn "
        "memory(none)\n@g = external global i32\n"
        "define void @f(i32 %a, i32 %b, float %x, ptr %p, ptr %q) {\nentry:\n" +
            body + "\n}\n",
        error, context);
    INFO(error.getMessage().str());
    REQUIRE(module);
    const std::optional<std::string> result = code.text(*module);
    REQUIRE(result);
    return *result;
  };
  const std::string first = text(a);
  return first == text(b);
}

std::string stored(const std::string& value) {
  return value + "\nstore i32 %v, ptr %p\nret void";
}

} // namespace

TEST_CASE("values may be computed in any order and place", "[mutation]") {
  CHECK(are_equal("%c = add i32 %a, 1\n%d = mul i32 %b, 3\n%v = sub i32 %c, %d\n"
                  "store i32 %v, ptr %p\nret void",
                  "%d = mul i32 %b, 3\n%c = add i32 %a, 1\n%v = sub i32 %c, %d\n"
                  "store i32 %v, ptr %p\nret void"));
  CHECK(are_equal("%t = icmp eq i32 %a, 0\n%v = mul i32 %b, 3\nbr i1 %t, label %x1, label %y1\n"
                  "x1:\nstore i32 %v, ptr %p\nret void\ny1:\nret void",
                  "%t = icmp eq i32 %a, 0\nbr i1 %t, label %x1, label %y1\n"
                  "x1:\n%v = mul i32 %b, 3\nstore i32 %v, ptr %p\nret void\ny1:\nret void"));
  CHECK(are_equal(stored("%v = add i32 %a, %b"), stored("%v = add i32 %b, %a")));
  CHECK_FALSE(are_equal(stored("%v = sub i32 %a, %b"), stored("%v = sub i32 %b, %a")));
}

TEST_CASE("loads stay between the stores around them", "[mutation]") {
  const std::string before = "%v = load i32, ptr %q\nstore i32 1, ptr %p\nstore i32 %v, ptr %p\n";
  const std::string after = "store i32 1, ptr %p\n%v = load i32, ptr %q\nstore i32 %v, ptr %p\n";
  CHECK_FALSE(are_equal(before + "ret void", after + "ret void"));
  CHECK_FALSE(are_equal(stored("%v = load i32, ptr %q"), stored("%v = load volatile i32, ptr %q")));
  CHECK_FALSE(are_equal(stored("%v = load i32, ptr %q"), stored("%v = load i32, ptr %p")));
  // Not in a loop that stores what the next iteration loads.
  const std::string loop = "br label %head\nhead:\n%n = phi i32 [ %a, %entry ], [ %m, %head ]\n";
  const std::string end = "%m = sub i32 %n, 1\n%t = icmp eq i32 %m, 0\n"
                          "br i1 %t, label %out, label %head\nout:\nret void";
  CHECK_FALSE(are_equal("%v = load i32, ptr %q\n" + loop + "store i32 %v, ptr %p\n" + end,
                        loop + "%v = load i32, ptr %q\nstore i32 %v, ptr %p\n" + end));
}

TEST_CASE("everything that makes an instruction is compared", "[mutation]") {
  const auto differ = [](const std::string& a, const std::string& b) {
    return !are_equal(stored(a), stored(b));
  };
  CHECK(differ("%v = add i32 %a, %b", "%v = mul i32 %a, %b"));
  CHECK(differ("%v = add i32 %a, %b", "%v = add nsw i32 %a, %b"));
  CHECK(differ("%v = add i32 %a, 1", "%v = add i32 %a, 2"));
  CHECK(differ("%c = icmp slt i32 %a, %b\n%v = zext i1 %c to i32",
               "%c = icmp ult i32 %a, %b\n%v = zext i1 %c to i32"));
  CHECK(differ("%c = fadd float %x, 1.0\n%v = fptosi float %c to i32",
               "%c = fadd fast float %x, 1.0\n%v = fptosi float %c to i32"));
  CHECK(differ("%c = fdiv float %x, 3.0\n%v = fptosi float %c to i32",
               "%c = fdiv float %x, 3.0, !fpmath !{float 2.5}\n%v = fptosi float %c to i32"));
  CHECK(differ("%c = getelementptr i32, ptr %q, i32 %a\n%v = load i32, ptr %c",
               "%c = getelementptr i16, ptr %q, i32 %a\n%v = load i32, ptr %c"));
  CHECK(differ("%v = load i32, ptr %q, align 4", "%v = load i32, ptr %q, align 1"));
  CHECK(differ("%v = atomicrmw add ptr %q, i32 1 monotonic",
               "%v = atomicrmw add ptr %q, i32 1 seq_cst"));
  CHECK(differ("%v = load i32, ptr @g", "%v = load i32, ptr %q"));
  CHECK(differ("call void @effect(i32 1)\n%v = add i32 %a, 0",
               "call void @effect(i32 2)\n%v = add i32 %a, 0"));
  // A barrier is no value that could be left out.
  CHECK(differ("%w = call i32 @barrier() convergent\n%v = add i32 %a, 0", "%v = add i32 %a, 0"));
  CHECK_FALSE(are_equal("store i32 1, ptr %p\nstore i32 2, ptr %q\nret void",
                        "store i32 2, ptr %q\nstore i32 1, ptr %p\nret void"));
  const std::string ways = "\nx1:\nstore i32 1, ptr %p\nret void\ny1:\nret void";
  CHECK_FALSE(are_equal("%t = icmp eq i32 %a, 0\nbr i1 %t, label %x1, label %y1" + ways,
                        "%t = icmp eq i32 %a, 0\nbr i1 %t, label %y1, label %x1" + ways));
  CHECK_FALSE(are_equal("switch i32 %a, label %y1 [i32 3, label %x1]" + ways,
                        "switch i32 %a, label %y1 [i32 4, label %x1]" + ways));
}

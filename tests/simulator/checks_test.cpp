// Each fault that the checks know, and the same kernel without it.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include <llvm/Config/llvm-config.h>
#include <numeric>
#include <set>

using namespace gputest::simulator;
using namespace gputest::simulator::tests;
using gputest::tests::ContainsSubstring;

namespace {

std::vector<int> zeros(std::size_t count) {
  return std::vector<int>(count);
}

const std::vector<std::string> kAll{"races", "barriers", "bounds", "uninitialized", "arithmetic"};

// Two groups of eight work-items, a buffer of 64 numbers and 8 local ones.
Ran checked(const std::string& body, const std::vector<std::string>& checks = kAll,
            const std::string& helpers = "") {
  return run({.text = helpers +
                      "kernel void k(global int* out, local int* tile) {\n"
                      "int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);\n" +
                      body + "\n}\n",
              .global_size = 16,
              .local_size = 8,
              .arguments = {buffer(zeros(64)), local(32)},
              .checks = checks});
}

std::string findings(const std::string& body, const std::vector<std::string>& checks = kAll) {
  return checked(body, checks).findings();
}

} // namespace

TEST_CASE("Accesses of a work-group that no barrier orders are races") {
  CHECK(findings("tile[l] = l;\nout[i] = tile[7 - l];") == "uninitialized 4\nrace 3/4\n");
  CHECK(findings("tile[l] = l;\nbarrier(CLK_LOCAL_MEM_FENCE);\nout[i] = tile[7 - l];").empty());
  // A fence for the other memory orders nothing.
  CHECK(findings("tile[l] = l;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nout[i] = tile[7 - l];") ==
        "race 5/3\n");
  CHECK(findings("out[i] = 1;\nbarrier(CLK_LOCAL_MEM_FENCE);\nout[32 + i] = out[8 * g + 7 - l];") ==
        "race 5/3\n");
  CHECK(findings("out[i] = 1;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nout[32 + i] = out[8 * g + 7 - l];")
            .empty());
  // The read comes first.
  CHECK(findings("int old = out[8 * g + (l + 1) % 8];\nout[i] = old;") == "race 4/3\n");
}

TEST_CASE("Races between work-groups, which no barrier orders") {
  CHECK(findings("out[l] = i;") == "race 3/3\n");
  CHECK(findings("if (g == 0) out[l] = 1;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nif (g == 1) out[i] = "
                 "out[l];") == "race 5/3\n");
  CHECK(findings("out[40] = 7;") == "race_same_value 3/3\n");
  CHECK_THAT(checked("out[l] = i;").result.findings[0].message,
             ContainsSubstring("between work-groups: work-item (0) of group (1) writes here, and "
                               "work-item (0) of group (0) writes at /t.cl:3:8"));
}

TEST_CASE("Atomics do not race with each other, but with others") {
  CHECK(findings("atomic_inc(out);").empty());
  CHECK(findings("atomic_inc(out);\nif (i == 3) out[0] = 5;") == "race 4/3\n");
  CHECK(findings("atomic_inc(out);\nif (i == 15) out[0] = 5;") == "race 4/3\n");
  // The idiom of OpenCL 1.2 for an atomic load; a store is none.
  CHECK(findings("atomic_inc(out);\nout[8 + i] = *(volatile global int*)out;").empty());
  CHECK(findings("*(volatile global int*)out = i;") == "race 3/3\n");
}

TEST_CASE("Accesses that share a single byte are races and others are not") {
  CHECK(findings("global uchar* bytes = (global uchar*)out;\nbytes[i] = i;").empty());
  CHECK(findings("global uchar* bytes = (global uchar*)out;\nbytes[i / 2] = i;") == "race 4/4\n");
  CHECK(findings("global ushort* s = (global ushort*)out;\nif (i == 1) out[3] = 1;\nif (i == 2) "
                 "s[7] = 2;") == "race 5/4\n");
}

TEST_CASE("More barriers than marks of bytes can tell apart") {
  const std::string turns = "global uchar* b = (global uchar*)out;\n"
                            "for (int n = 0; n < 300000; ++n) {\n"
                            "  b[32 * g + (l + n) % 8] = n;\n"
                            "  barrier(CLK_GLOBAL_MEM_FENCE);\n}\n";
  const auto many = [&](const std::string& after) {
    return run({.text = "kernel void k(global int* out) {\n"
                        "int l = get_local_id(0), g = get_group_id(0);\n" +
                        turns + after + "}\n",
                .global_size = 32,
                .local_size = 2,
                .arguments = {buffer(zeros(256))},
                .checks = {"races"}})
        .findings();
  };
  CHECK(many("").empty()); // 16 groups, 4.8 million epochs
  CHECK(many("if (g > 0) b[32 * (g - 1)] = l;\n") == "race 8/5\nrace 8/8\n");
}

TEST_CASE("Races of single bytes are found in a work-group of 10 000 work-items") {
  const auto wide = [](const std::string& index) {
    return run({.text = "kernel void k(global uchar* b) {\n"
                        "  int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);\n"
                        "  b[i] = 1;\n"
                        "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                        "  b[10000 * g + " +
                        index + "] = i + l / 8192;\n}\n",
                .global_size = 20000,
                .local_size = 10000,
                .arguments = {buffer(std::vector<unsigned char>(20000))},
                .checks = {"races"}})
        .findings();
  };
  CHECK(wide("9999 - l").empty());
  CHECK(wide("l % 8192") == "race 5/5\n"); // work-items that differ by 8,192
  CHECK(wide("l - 10000 * (g && l == 0)") == "race 5/5\n");
}

TEST_CASE("Structs are copied byte by byte") {
  const std::string type = "struct P { int a, b, c, d, e, f, g, h; };\n";
  CHECK(checked("global struct P* p = (global struct P*)out;\nif (i < 2) p[i] = p[i + 4];", kAll,
                type)
            .findings()
            .empty());
  CHECK_THAT(checked("global struct P* p = (global struct P*)out;\nif (i < 2) p[i] = p[i + 1];",
                     kAll, type)
                 .findings(),
             ContainsSubstring("race 5/5"));
}

TEST_CASE("A barrier that not all work-items reach is a finding") {
  const Ran ran = checked("if (l < 3)\n  barrier(CLK_LOCAL_MEM_FENCE);\nout[i] = l;");
  CHECK(ran.findings() == "divergent_barrier 4\n");
  CHECK_THAT(ran.result.findings[0].message,
             ContainsSubstring("group (0): 3 of 8 work-items wait here (first (0)), 5 have left "
                               "the kernel (first (3))"));
  CHECK(ran.result.findings[0].count == 2);
  // Without checks, too: no device does anything useful with it.
  CHECK(findings("if (l < 3)\n  barrier(CLK_LOCAL_MEM_FENCE);", {}) == "divergent_barrier 4\n");
  CHECK(findings("if (l < 3)\n  barrier(CLK_LOCAL_MEM_FENCE);\nelse\n  "
                 "barrier(CLK_LOCAL_MEM_FENCE);") == "divergent_barrier 4/6\n");
  CHECK(findings("for (int n = 0; n < 2 + l / 7; ++n)\n  barrier(CLK_LOCAL_MEM_FENCE);") ==
        "divergent_barrier 4\n");
  CHECK(findings("if (g == 1)\n  barrier(CLK_LOCAL_MEM_FENCE);").empty());
}

TEST_CASE("Threads of CUDA that have left before a barrier of others") {
  const auto leaves = [](int n, const std::vector<std::string>& checks) {
    return run({.text = "__global__ void k(int* out, int n) {\n"
                        "  const int t = threadIdx.x;\n"
                        "  for (int i = 0; i < 2; ++i) {\n"
                        "    if (t >= n)\n"
                        "      return;\n"
                        "    __syncthreads();\n"
                        "  }\n"
                        "  __syncthreads();\n"
                        "  out[blockIdx.x * 8 + t] = t;\n"
                        "}\n",
                .global_size = 16,
                .local_size = 8,
                .arguments = {buffer(std::vector<int>(16)), value(n)},
                .checks = checks,
                .cuda = true})
        .result;
  };
  for (const std::vector<std::string>& checks : {std::vector<std::string>(), kAll}) {
    const LaunchResult noted = leaves(5, checks);
    CHECK(noted.findings.empty());
    CHECK(text_of(noted.notes) == "early_exit 6\nearly_exit 8\n"); // each barrier once
    CHECK_THAT(noted.notes.at(0).message,
               ContainsSubstring("the threads of block (0, 0, 0) go on behind this barrier without "
                                 "3 of 8, which have left the kernel (first (5, 0, 0))"));
    CHECK(leaves(8, checks).notes.empty());
    CHECK(leaves(0, checks).notes.empty()); // nobody waits
  }
  const LaunchResult found = leaves(5, {"exits"});
  CHECK(text_of(found.findings) == "early_exit 6\nearly_exit 8\n");
  CHECK(found.findings.at(0).count == 4);
  CHECK(found.notes.empty());
  CHECK(leaves(8, {"exits"}).findings.empty());
  CHECK(findings("if (l < 3)\n  barrier(CLK_LOCAL_MEM_FENCE);", {"exits"}) ==
        "divergent_barrier 4\n");
}

TEST_CASE("Work-items that reach one barrier with different flags") {
  const Ran ran = checked("barrier(l < 2 ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | "
                          "CLK_GLOBAL_MEM_FENCE);\nout[i] = l;");
  CHECK(ran.findings() == "divergent_barrier 3\n");
  CHECK_THAT(ran.result.findings.at(0).message,
             ContainsSubstring("work-items of group (0) reach this barrier with different flags: "
                               "2 of 8 work-items have CLK_LOCAL_MEM_FENCE (first (0)), 6 of 8 "
                               "work-items have CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE "
                               "(first (2))"));
}

TEST_CASE("Accesses out of bounds, and nothing else happens") {
  const Ran ran = checked("out[i + 60] = 1;");
  CHECK(ran.findings() == "out_of_bounds 3\n");
  CHECK(ran.result.findings[0].count == 12);
  CHECK_FALSE(ran.result.fatal);
  CHECK_THAT(ran.result.findings[0].message,
             ContainsSubstring("work-item (4) of group (0) writes 4 bytes at byte 256 of 'out', "
                               "which has 256 bytes"));
  CHECK(ran.values<int>(0)[63] == 1);
  CHECK(findings("out[i] = out[i - 1];", {"bounds"}) == "out_of_bounds 3\n");
  CHECK(findings("tile[l + 1] = 1;", {"bounds"}) == "out_of_bounds 3\n");
  CHECK(findings("int a[4] = {0, 1, 2, 3};\nout[i] = a[l];", {"bounds"}) == "out_of_bounds 4\n");
  CHECK(findings("int a[8] = {0, 1, 2, 3};\nout[i] = a[l];", {"bounds"}).empty());
  CHECK(findings("local int t[4];\nt[l] = l;", {"bounds"}) == "out_of_bounds 4\n");
}

TEST_CASE("A vector at an address that its type does not allow is a finding") {
  CHECK(findings("*(global int4*)(out + 4 * l + 1) = (int4)(l);", {"bounds"}) == "misaligned 3\n");
  CHECK(findings("*(global int4*)(out + 4 * l) = (int4)(l);", {"bounds"}).empty());
  CHECK(findings("vstore4((int4)(l), l, out + 1);", {"bounds"}).empty());
}

TEST_CASE("Integers at addresses that they may not have") {
  CHECK(findings("*(global int*)((global char*)out + 2) = 1;", {"bounds"}) == "misaligned 3\n");
  CHECK(
      findings("global char* b = (global char*)out;\nif (l == 3) out[i] = *(global short*)(b + l);",
               {"bounds"}) == "misaligned 4\n");
  // Clang 22 knows the alignment of `c`, and reads the integer in halves.
  CHECK(findings("char c[8] __attribute__((aligned(4))) = {0};\nout[i] = *(int*)(c + 2);",
                 {"bounds"}) == (LLVM_VERSION_MAJOR < 22 ? "misaligned 4\n" : ""));
  CHECK(findings("global char* b = (global char*)out;\nout[i] = *(global int*)(b + 4 * l);",
                 {"bounds"})
            .empty());
  CHECK(findings("struct __attribute__((packed)) { char a; int b; } s = {1, 2};\nout[i] = s.b;",
                 {"bounds"})
            .empty());
  CHECK(findings("struct __attribute__((packed)) { char a; int b; } s;\ns.b = i;\nout[i] = s.b;",
                 {"bounds", "uninitialized"})
            .empty());
}

TEST_CASE("What the optimiser would leave out is checked") {
  CHECK(findings("int unused = out[i + 60];") == "out_of_bounds 3\n");
  CHECK(findings("global int* p = 0;\nint unused = *p;") == "null_pointer 4\n");
  CHECK(findings("global int* p = 0;\nif (*p) ;") == "null_pointer 4\n");
  CHECK(findings("out[i] = 1;\nint unused = out[8 * g + 7 - l];", {"races"}) == "race 3/4\n");
  CHECK(findings("int unused = 7 / (l - 3);") == "division_by_zero 3\n");
  CHECK(findings("out[i] = i / 0;") == "division_by_zero 3\n");
  CHECK(findings("int unused = 1 << (30 + l);") == "shift 3\n");
  CHECK(findings("int a[4];\na[5] = l;", {"bounds"}) == "out_of_bounds 4\n");
  CHECK(findings("constant int* p = 0;\nint unused = p[l];") == "null_pointer 4\n");
  const std::string type = "struct P { int a, b[7]; };\n";
  CHECK(checked("global struct P* p = (global struct P*)out;\nstruct P unused = p[i];", kAll, type)
            .findings() == "out_of_bounds 5\n");
}

TEST_CASE("Arrays that are members end where they end") {
  const std::string type = "struct S { int n, a[4], b[4]; };\n"
                           "struct R { int n, rest[1]; };\n";
  const auto found = [&](const std::string& body) {
    return checked(body, {"bounds"}, type).findings();
  };
  const std::string s = "struct S s = {0};\n";
  CHECK(found(s + "out[i] = s.a[l];") == "out_of_bounds 6\n");
  CHECK(found(s + "out[i] = s.a[l & 3];").empty());
  CHECK(found(s + "s.a[6] = l;\nout[i] = s.b[2];") == "out_of_bounds 6\n");
  CHECK(found(s + "int* p = s.a;\nout[i] = p[l];") == "out_of_bounds 7\n");
  CHECK(found(s + "out[i] = s.b[l];") == "out_of_bounds 6\n");
  CHECK(found(s + "out[i] = (&s.n)[l];").empty()); // no array, and within the struct
  CHECK(found("local struct S t[8];\nt[l].a[l] = 1;") == "out_of_bounds 6\n");
  CHECK(found("global struct S* p = (global struct S*)out;\nif (l < 6) p[g].a[l] = 1;") ==
        "out_of_bounds 6\n");
  CHECK(found("global struct S* p = (global struct S*)out;\nif (l < 4) p[g].a[l] = 1;").empty());
  // An array of one at the end stands for as many as there are.
  CHECK(found("global struct R* p = (global struct R*)out;\np->rest[l] = 1;").empty());
  const Ran ran = checked(s + "out[i] = s.a[l];", {"bounds"}, type);
  CHECK_THAT(ran.result.findings[0].message,
             ContainsSubstring("work-item (4) of group (0) reads 4 bytes at byte 16 of an array "
                               "within 's', which has 16 bytes"));
}

TEST_CASE("Rows of arrays end where they end") {
  const auto found = [](const std::string& body) { return findings(body, {"bounds"}); };
  const std::string t = "local int t[4][5];\n", p = "int p[2][3][4] = {0};\n";
  CHECK(found(t + "if (l < 3) t[l][2 + l] = 1;").empty());
  CHECK(found(t + "if (l < 4) t[l][2 + l] = 1;") == "out_of_bounds 4\n");
  CHECK(found(t + "if (l < 3) t[l][l - 1] = 1;") == "out_of_bounds 4\n");
  CHECK(found(t + "if (l < 3) t[l][5] = 1;") == "out_of_bounds 4\n");
  CHECK(found(p + "out[i] = p[l & 1][l % 3][l & 3];").empty());
  CHECK(found(p + "out[i] = p[0][1][l % 5];") == "out_of_bounds 4\n");
  CHECK(found(p + "out[i] = p[0][l & 3][0];") == "out_of_bounds 4\n");
  CHECK(found(p + "out[i] = p[0][3][0];") == "out_of_bounds 4\n");
  CHECK(found(p + "out[i] = p[l & 1][2][l & 3] + p[1 - (l & 1)][l % 3][0];").empty());
  // Rows of a buffer, of a member and in a function.
  CHECK(found("global int (*r)[5] = (global int (*)[5])out;\nif (i < 6) r[i][i] = 1;") ==
        "out_of_bounds 4\n");
  CHECK(found("global int (*r)[5] = (global int (*)[5])out;\nif (i < 5) r[i][i] = 1;").empty());
  const std::string helpers = "struct S { int n, m[3][4], last; };\n"
                              "int at(int (*r)[4], int n) { return r[1][n]; }\n";
  CHECK(checked("struct S s = {0};\nout[i] = s.m[1][l & 3];", {"bounds"}, helpers)
            .findings()
            .empty());
  CHECK(checked("struct S s = {0};\nout[i] = s.m[1][l & 4];", {"bounds"}, helpers).findings() ==
        "out_of_bounds 6\n");
  CHECK(checked("struct S s = {0};\nout[i] = at(s.m, l & 4);", {"bounds"}, helpers).findings() ==
        "out_of_bounds 2\n");
  // Pointer arithmetic may leave a row, and the address of a row's end is no access.
  CHECK(found(t + "for (int n = 0; n < 20; ++n) (&t[0][0])[n] = n;").empty());
  CHECK(found(t + "local int* f = t[0];\nfor (int n = 0; n < 20; ++n) f[n] = n;").empty());
  CHECK(found(t + "for (int n = 0; n < 20; ++n) *(*t + n) = n;").empty());
  CHECK(found(t + "for (local int* f = &t[1][0]; f != &t[1][5]; ++f) *f = 1;").empty());
  CHECK(found(t + "local int* f = t[0];\nfor (int n = 0; n < 21; ++n) f[n] = n;") ==
        "out_of_bounds 5\n");
  const Ran ran = checked(t + "t[1][l] = 1;", {"bounds"});
  CHECK_THAT(ran.result.findings[0].message,
             ContainsSubstring("work-item (5) of group (0) writes 4 bytes at byte 20 of an array "
                               "within 't', which has 20 bytes"));
}

TEST_CASE("Constants of equal values have bounds") {
  const std::string zeros = "constant int zero[4] = {0};\n";
  CHECK(checked("out[i] = zero[l];", {"bounds"}, zeros).findings() == "out_of_bounds 4\n");
  CHECK(checked("out[i] = zero[l & 3];", {"bounds"}, zeros).findings().empty());
}

TEST_CASE("Components that a vector does not have") {
  CHECK(findings("int4 v = (int4)(l);\nout[i] = v[l];") == "out_of_bounds 4\n");
  CHECK(findings("int4 v = (int4)(l);\nv[l] = 3;\nout[i] = v.x;") == "out_of_bounds 4\n");
  CHECK(findings("int4 v = (int4)(l);\nout[i] = v[l & 3];").empty());
}

TEST_CASE("Scalars end where they end") {
  CHECK(findings("int a = 1;\nint* p = &a;\nout[i] = p[l];", {"bounds"}) == "out_of_bounds 5\n");
}

TEST_CASE("Each object that a line leaves is named") {
  const Ran ran =
      run({.text = "kernel void k(global float* out, global float* in, global float* m) "
                   "{\nint i = get_global_id(0);\nout[i] = in[i] - m[i / 2];\n}\n",
           .global_size = 10,
           .arguments = {buffer(std::vector<float>(8)), buffer(std::vector<float>(8)),
                         buffer(std::vector<float>(4))},
           .checks = {"bounds"}});
  std::set<std::string> objects;
  for (const Finding& finding : ran.result.findings) {
    objects.insert(finding.object);
    CHECK_THAT(finding.message, ContainsSubstring("'" + finding.object + "', which has "));
  }
  CHECK(objects == std::set<std::string>{"in", "m", "out"});
  CHECK(ran.findings() == "out_of_bounds 3\nout_of_bounds 3\nout_of_bounds 3\n");
}

TEST_CASE(
    "Where a kernel never ends is a line of its loop, and no check is advised that was made") {
  for (const std::vector<std::string>& checks :
       {std::vector<std::string>{}, std::vector<std::string>{"bounds"},
        std::vector<std::string>{"bounds", "overflow"}}) {
    const Ran ran = run({.text = "kernel void k(global int* hits, int n, int step) {\n"
                                 "  for (int i = get_local_id(0); i < n; i += step)\n"
                                 "    hits[(i >> 28) & 15] += 1;\n"
                                 "}\n",
                         .arguments = {buffer(zeros(16)), value(2147483647), value(1073741824)},
                         .checks = checks,
                         .limit = 0.3});
    const Finding& endless = ran.result.findings.back();
    CHECK(endless.kind == "endless");
    CHECK((endless.site.line == 2 || endless.site.line == 3));
    CHECK_THAT(endless.message, !ContainsSubstring("--check bounds"));
  }
}

TEST_CASE("A fault that happens 30 million times does not use up the time") {
  const Ran ran = run({.text = "kernel void k(global int* out) {\n"
                               "  for (int n = 0; n < 30000000; ++n)\n"
                               "    out[8 + (n & 1)] = n;\n}\n",
                       .arguments = {buffer(zeros(8))},
                       .checks = {"bounds"},
                       .limit = 20});
  CHECK(ran.findings() == "out_of_bounds 3\n");
  CHECK(ran.result.findings[0].count == 30000000);
}

TEST_CASE("Operations that can never run are looked at by nobody") {
  std::string never = "if (l != l) {\n";
  for (int n = 1; n < 40; ++n)
    never += "out[i] += (i / (l + " + std::to_string(n) + ")) % (g + " + std::to_string(n) + ");\n";
  CHECK(findings(never + "}\nout[i] = 7 / (l - 3);", {"arithmetic", "uninitialized"}) ==
        "division_by_zero 44\n");
}

TEST_CASE("Operations of loops whose accesses are looked at all at once are checked") {
  CHECK(findings("int sum = 0;\nfor (int n = 0; n < 9; ++n)\nsum += out[n] / (l - 3);\n"
                 "out[i + 16] = sum;",
                 {"arithmetic", "races"}) == "division_by_zero 5\n");
}

TEST_CASE("Shifts of libclc are nobody's fault") {
  CHECK(
      findings("float x = l * 1e30f, c;\nout[i] = (int)(pow(x, 2) + sin(x) + tan(x) + powr(x, x) + "
               "pown(x, 3) + sincos(x, &c) + c) & 1;",
               {"arithmetic"})
          .empty());
}

TEST_CASE("Values that nobody has written") {
  CHECK(findings("int v;\nif (l > 3) v = 1;\nout[i] = v;") == "uninitialized 5\n");
  CHECK(findings("int v;\nif (l > 3) v = 1;\nif (l > 3) out[i] = v;").empty());
  CHECK(findings("float sum;\nfor (int n = 0; n < l; ++n) sum += n;\nout[i] = (int)sum;") ==
        "uninitialized 5\n");
  CHECK(findings("int a[4];\na[l & 1] = 1;\nif (a[3] == l) out[i] = 2;") == "uninitialized 5\n");
  CHECK(findings("if (l < 4) tile[l] = 1;\nout[i] = tile[l];") == "uninitialized 4\n");
  // Copied and never used.
  CHECK(findings("int v, w = 3;\nint copy = l < 0 ? v : w;\nout[i] = copy;").empty());
  CHECK(findings("int3 v = (int3)(l, 1, 2);\n*(global int3*)(out + 4 * (i & 7)) = v;",
                 {"uninitialized"})
            .empty());
}

TEST_CASE("Arithmetic that C leaves undefined is a finding") {
  CHECK(findings("out[i] = 7 / (l - 3);") == "division_by_zero 3\n");
  CHECK(findings("out[i] = l ? 7 % l : 0;").empty());
  CHECK(findings("out[i] = 1 << (30 + l);") == "shift 3\n");
  const std::string turned = "uint left(uint x, uint n) { return x << (n & 31); }\n"
                             "uint turned(uint x, uint n) { return left(x, n) | x >> n; }\n";
  CHECK(checked("out[i] = turned(i, l + 28);", {"arithmetic"}, turned).findings() == "shift 2\n");
  CHECK(findings("out[i] = (int2)(8, 9).x / ((int2)(1, l)).y;") == "division_by_zero 3\n");
  CHECK(findings("out[i] = 2147483640 + l;").empty());
  CHECK(findings("out[i] = 2147483640 + l * 2;", {"overflow"}) == "overflow 3\n");
}

TEST_CASE("Lines are those of helpers, and of what includes them") {
  CHECK(checked("out[i] = helper(tile, l);", {"races"},
                "int helper(local int* t, int n) {\n  t[n] = n;\n  return t[7 - n];\n}\n")
            .findings() == "race 2/3\n");
}

TEST_CASE("A file has one name, whoever finds the fault") {
  for (const std::vector<std::string>& checks :
       {std::vector<std::string>(), std::vector<std::string>{"bounds"}}) {
    const Ran ran = run({.text = "#line 1 \"x.cl\"\nkernel void k(global int* p) { *p = 1; }\n",
                         .arguments = {null_buffer()},
                         .checks = checks});
    REQUIRE_FALSE(ran.result.findings.empty());
    CHECK(ran.result.findings[0].site.file == "x.cl");
  }
}

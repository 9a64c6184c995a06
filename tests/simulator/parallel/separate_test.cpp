// Whether work-groups may run at the same time.
#include "tests/catch.h"
#include "tests/simulator/parallel/analysed.h"

#include "simulator/execute/kept_code.h"

#include <string>
#include <string_view>
#include <vector>

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;
using gputest::model::Json;

namespace {

constexpr const char* kMayShare = "work-groups may access what others write";

std::string kernel_of(const std::string& body) {
  return "kernel void k(global int* a, global const int* b, int n, int w) {\n"
         "  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0);\n"
         "  int gx = get_group_id(0);\n" +
         body + "\n}\n";
}

} // namespace

TEST_CASE("Checks do not change which work-groups are separate, unless they update the same") {
  const auto why_not = [](const std::string& body, const std::vector<std::string>& checks) {
    return Analysed("constant int four[] = {1, 2, 3, 4};\n" + kernel_of(body), checks)
        .why_not({}, {32, 8});
  };
  const std::vector<std::string> all = {"races", "bounds", "uninitialized"};
  CHECK(why_not("local int t[8]; t[lx] = b[x]; barrier(1); a[x] = t[7 - lx] + four[x & 3];", all) ==
        "");
  CHECK(why_not("a[lx] = x;", all) == kMayShare);
  for (const char* t :
       {"if (n == 3) a[x ^ 1] = 1; a[x] = 2;", "if (n == 3) a[gx * 16] = 1; a[x] = 2;",
        "int v = 0; if (n == 3) v = b[x + (1 << 20)]; a[x] = v;",
        "int v = 0; int u[2]; u[b[x] & 1] = 1; if (n == 32) v = u[0]; a[x] = v;",
        "if (gx < 9 || lx < 8) barrier(CLK_LOCAL_MEM_FENCE); a[x] = 1;",
        "local int t[8]; if (n == 32) {t[lx] = x; a[x] = t[7-lx];}"})
    CHECK(why_not(t, all) == "");
}

TEST_CASE("Work-groups that access nothing that others write are separate") {
  struct Case {
    std::string body;
    Sizes sizes{};
    int n = 32, w = 8;
  };
  const Case kCases[] = {
      {"a[x] = b[x];"},
      {"a[x] += 1;"},
      {"if (x < n) a[x] = b[n - 1 - x];", {}, 27},
      {"a[n - 1 - x] = x;"},
      {"if (lx == 0) a[gx] = b[x];"},
      {"a[2 * x] = 1; a[2 * x + 1] = 2;"},
      {"for (int i = x; i < n; i += get_global_size(0)) a[i] = a[i] * 2;", {}, 1000},
      {"for (int i = n - 1 - x; i >= 0; i -= get_global_size(0)) a[i] = i;", {}, 1000},
      {"for (int i = 0; i < w; ++i) a[x * w + i] = b[i];"},
      {"for (int i = 0; i < w; ++i) a[i * n + x] = b[i];"},
      {"a[y * w + x] = b[x * n + y];", {{4, 3}, {2, 4}}, 12, 8},
      {"if (x < w && y < n) a[y * w + x] = b[x];", {{4, 3}, {2, 4}}, 11, 7},
      {"if (x >= w || y >= n) return; a[y * w + x] += b[x * n + y];", {{4, 3}, {2, 4}}, 11, 7},
      {"if ((uint)x < (uint)w) a[y * w + x] = 1;", {{4, 3}, {2, 4}}, 11, 7},
      {"if (x == 0) a[n] = b[0];"},
      {"vstore4((int4)(x), x, a);"},
      {"a[x] = b[b[x]];"},
      {"__local int t[8]; t[lx] = b[x]; barrier(CLK_LOCAL_MEM_FENCE); a[x] = t[7 - lx];"},
      {"int t[4]; for (int i = 0; i < 4; ++i) t[i] = b[i + x]; a[x] = t[x & 3];"},
      {"if (n > 100) a[0] = x; else a[x] = 1;"},
      {"atomic_inc(a + x);"},
      {"atomic_add(a + b[x], 3); atomic_sub(a, x);"},
      {"if (b[x] > n) atomic_max(a, b[x]);"},
      {"a[x] = 0; atomic_xchg(a + x, atomic_add(a + x, 2));"},
  };
  for (const Case& one : kCases) {
    const Analysed kernel(kernel_of(one.body));
    INFO(one.body << "\n" << Json(kernel.accesses));
    CHECK(kernel.why_not(one.sizes, {one.n, one.w}) == "");
  }
}

TEST_CASE("Work-groups that may access what others write are not separate") {
  struct Case {
    std::string body, why = kMayShare;
    Sizes sizes{};
    int n = 32, w = 8;
  };
  const Case kCases[] = {
      {"a[0] = x;"},
      {"a[lx] = x;"},
      {"a[x / 16] = x;"},
      {"a[x] = a[x + 1];"},
      {"a[x] = 1; a[x + 8] = 2;"},
      {"if (lx == 0) a[gx] = a[n - gx];"},
      {"a[b[x]] = 1;"},
      {"a[x] = a[b[x]];"},
      {"a[y * w + x] = 1;", kMayShare, {{4, 3}, {2, 4}}, 12, 7},
      {"if (x < w + 1) a[y * w + x] = 1;", kMayShare, {{4, 3}, {2, 4}}, 11, 7},
      {"if (x < w) a[y * w + x] = a[y * w + x + w];", kMayShare, {{4, 3}, {2, 4}}, 11, 7},
      {"for (int i = x; i < n; i += 8) a[i] = i;", kMayShare, {}, 1000},
      {"if (atomic_inc(a + lx) == 3) a[n + x] = 1;"},
      {"a[x] = atomic_inc(a + n);"},
      {"atomic_inc(a + lx); atomic_max(a + lx, 3);"},
      {"atomic_inc(a + lx); a[n + x] = a[lx];"},
      {"volatile global int* p = a; p[x] = 1;", "it has volatile accesses"},
      {"printf(\"%d\", x); a[x] = 1;", "it calls 'gputest_printf'"},
  };
  for (const Case& one : kCases) {
    INFO(one.body);
    const std::string why = Analysed(kernel_of(one.body)).why_not(one.sizes, {one.n, one.w});
    if (one.why.starts_with("it calls"))
      CHECK(why.starts_with("it calls '"));
    else
      CHECK(why == one.why);
  }
  CHECK(Analysed(kernel_of("a[x] = b[x + 1];")).why_not({}, {32, 8}) == "");
  CHECK(Analysed(kernel_of("a[x] = b[x + 1];")).why_not({}, {32, 8}, true) == kMayShare);
}

TEST_CASE("What work-groups access is the same after it was kept as JSON") {
  const Analysed kernel(
      kernel_of("int s = get_global_size(0);\n"
                "for (int i = x; i < n; i += s) if (i > w) a[i] = b[b[i]] / 3 + (i % 5);"));
  CHECK(Json(kernel.accesses).get<GroupAccesses>() == kernel.accesses);
  CHECK(!kernel.accesses.loops.empty());
  CHECK(!kernel.accesses.comparisons.empty());
}

TEST_CASE("A kind that no version has is refused where a kept kernel is read") {
  const Analysed kernel(kernel_of("a[x] = b[x + 1];"));
  const Json accesses = kernel.accesses;
  KernelShape kept;
  kept.parameters.push_back({"a", "int*"});
  kept.objects.push_back({"o"});
  const Json shape = kept;
  for (const int kind : {-1, 17, 1 << 30}) {
    CAPTURE(kind);
    auto wrong = accesses;
    wrong["terms"][0]["kind"] = kind;
    CHECK_THROWS_AS(wrong.get<GroupAccesses>(), gputest::model::FormatError);
    for (const char* list : {"parameters", "objects"}) {
      auto other = shape;
      other[list][0]["kind"] = kind;
      CHECK_THROWS_AS(other.get<KernelShape>(), gputest::model::FormatError);
    }
  }
  CHECK(shape.get<KernelShape>().parameters.at(0).name == "a");
}

TEST_CASE("Buffers in which no work-item accesses what another one writes") {
  struct Case {
    std::string body;
    bool own = true;
    Sizes sizes{};
    int n = 32, w = 8;
  };
  const Case kCases[] = {
      {"a[x] = b[x];"},
      {"a[x] += 1;"},
      {"if (x < n) a[n - 1 - x] = b[x + 1];", true, {}, 27},
      {"a[2 * x] = 1; a[2 * x + 1] = 2;"},
      {"if (x < w && y < n) a[y * w + x] = b[x];", true, {{4, 3}, {2, 4}}, 11, 7},
      {"local int t[8]; t[lx] = b[x]; barrier(1); a[x] = t[7 - lx];"},
      {"if (x == 3) a[n] = b[0];"},
      {"for (uint i = lx; i < 16; i += 8) a[gx * 16 + i] = x;"},
      {"for (uint i = lx; i < 17; i += 8) a[gx * 16 + i] = x;", false},
      {"for (int i = n - lx; i > 0; i -= 8) a[gx * 16 + i] = x;", true, {}, 15},
      {"for (int i = n - lx; i > 0; i -= 8) a[gx * 16 + i] = x;", false, {}, 18},
      {"for (uint i = 0, j = 0; i < (uint)n; i += 8, ++j) { if (b[j]) break; a[x * 5 + j] = i; }"},
      {"for (uint i = 0, j = 0; i < (uint)n; i += 8, ++j) { if (b[j]) break; a[x * 5 + j] = i; }",
       false,
       {},
       41},
      {"for (int i = n, j = 0; i > 0; i -= 8, ++j) { if (b[j]) break; a[x * 5 + j] = i; }"},
      {"for (int i = n, j = 0; i > 0; i -= 8, ++j) { if (b[j]) break; a[x * 5 + j] = i; }",
       false,
       {},
       41},
      {"a[gx] = x;", false},
      {"a[x / 2] = x;", false},
      {"a[lx] = x;", false},
      {"a[x] = 1; if (b[x]) a[x + 1] = 2;", false},
      {"a[x] = 1; int unused = a[x + 1];", false},
      {"a[x] = 1; a[b[x]] = 2;", false},
      {"if (lx < 2) a[gx] = x;", false},
      {"if (x < w + 1) a[y * w + x] = 1;", false, {{4, 3}, {2, 4}}, 11, 7},
      {"atomic_inc(a + gx);", false},
  };
  for (const Case& one : kCases) {
    const Analysed kernel(kernel_of(one.body), {"races"});
    INFO(one.body << "\n" << Json(kernel.checked.value()));
    CHECK((kernel.own(one.sizes, {one.n, one.w}) & 1) == (one.own ? 1U : 0U));
  }
  // Limits near the largest number, in loops with a second way out.
  for (const char* loop : {"for (uint i = x, j = x; i < (uint)n; i += (uint)w, ++j)",
                           "for (uint i = x, j = x; i <= (uint)n - 1; i += (uint)w, ++j)",
                           "ulong i = x, j = x; for (; i < (ulong)n; i += w, ++j)",
                           "ulong i = x, j = x; for (; i <= (ulong)n - 1; i += w, ++j)"}) {
    const Analysed kernel(kernel_of(std::string(loop) + " { if (b[j & 4095]) break; a[j] = i; }"),
                          {"races"});
    INFO(loop);
    for (const int n : {0, -1, -2, -1000, -65536})
      if (n != 0 || std::string_view(loop).find("<=") != std::string_view::npos)
        CHECK((kernel.own({}, {n, 1024}) & 1) == 0);
  }
  const Analysed neighbours(kernel_of("a[x] = b[x + 1];"), {"races", "bounds", "uninitialized"});
  CHECK(neighbours.own({}, {32, 8}) == 3); // nobody writes b
  CHECK(neighbours.own({}, {32, 8}, true) == 0);
  CHECK(!Analysed(kernel_of("a[x] = 1;"), {"bounds"}).checked);
}

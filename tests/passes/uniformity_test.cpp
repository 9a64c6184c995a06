// Which decisions are found to be the same for a whole work-group.
#include "passes/dataflow/barriers.h"
#include "tests/catch.h"
#include "tests/passes/instrumented.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace {

using namespace gputest;

// The texts of the conditions that need a vote in `body`, the body of a kernel with a barrier.
std::vector<std::string> votes_in(const std::string& body, const std::string& before = "",
                                  const std::string& cl_std = "CL1.2") {
  const auto file = std::filesystem::temp_directory_path() /
                    ("gputest_uniformity_" + std::to_string(::getpid()) + ".cl");
  std::ofstream(file) << before
                      << "kernel void k(global int* a, constant int* c, local int* l, int n) {\n"
                      << "  const int lid = get_local_id(0), gid = get_group_id(0);\n"
                      << body << "\n}\n";
  frontend::SourceOptions options;
  options.file = file.string();
  options.cl_std = cl_std;
  std::vector<std::string> texts;
  for (const model::Vote& vote : tests::instrument(options).coverage.sites.votes)
    texts.push_back(vote.text);
  std::filesystem::remove(file);
  return texts;
}

using Texts = std::vector<std::string>;
const std::string kBarrier = "barrier(CLK_LOCAL_MEM_FENCE);";

} // namespace

TEST_CASE("arguments, group ids, sizes and constant memory are uniform") {
  CHECK(votes_in("if (n > 3) " + kBarrier) == Texts{});
  CHECK(votes_in("if (gid == 0 && get_local_size(0) > 2) " + kBarrier) == Texts{});
  CHECK(votes_in("if (c[gid] > 2) " + kBarrier) == Texts{});
  CHECK(votes_in("for (int s = get_local_size(0) / 2; s > 0; s >>= 1) { if (lid < s) l[lid] = 1; " +
                 kBarrier + " }") == Texts{});
  CHECK(votes_in("float f = sqrt((float)n); while (f > 1) { f /= 2; " + kBarrier + " }") ==
        Texts{});
}

TEST_CASE("ids and loads vary") {
  CHECK(votes_in("if (lid < 3) " + kBarrier) == Texts{"lid < 3"});
  CHECK(votes_in("if (a[0]) " + kBarrier) == Texts{"a[0]"});
  CHECK(votes_in("if (l[0] > 1) " + kBarrier) == Texts{"l[0] > 1"});
  CHECK(votes_in("if (c[lid] > 2) " + kBarrier) == Texts{"c[lid] > 2"});
  CHECK(votes_in("switch (lid) { case 0: " + kBarrier + " }") == Texts{"lid"});
  CHECK(votes_in("if (atomic_inc(a) == 0) " + kBarrier) == Texts{"atomic_inc(a) == 0"});
}

TEST_CASE("variation spreads through data and control") {
  CHECK(votes_in("int x = 0; x = lid; if (x) " + kBarrier) == Texts{"x"});
  CHECK(votes_in("int x = 0; if (lid > 2) x = 1; if (x) " + kBarrier) == Texts{"x"});
  CHECK(votes_in("int x = 0; for (int i = 0; i < lid; ++i) x++; if (x) " + kBarrier) == Texts{"x"});
  CHECK(votes_in("int x[2] = {0, 0}; x[1] = lid; if (x[0]) " + kBarrier) == Texts{"x[0]"});
  CHECK(votes_in("int x = 0; int* p = &x; *p = lid; if (x) " + kBarrier) == Texts{"x"});
  CHECK(votes_in("int x = n; if (n) x = gid; if (x) " + kBarrier) == Texts{});
}

TEST_CASE("jumps around a barrier are decisions about it") {
  CHECK(votes_in("if (lid > 3) return; " + kBarrier) == Texts{"lid > 3"});
  CHECK(votes_in(kBarrier + " if (lid > 3) return; a[lid] = 1;") == Texts{});
  CHECK(votes_in("for (int i = 0; i < n; ++i) { if (a[i]) break; " + kBarrier + " }") ==
        Texts{"a[i]"});
  CHECK(votes_in("for (int i = 0; i < n; ++i) { if (a[i]) continue; " + kBarrier + " }") ==
        Texts{"a[i]"});
  CHECK(votes_in("for (int i = 0; i < n; ++i) { if (a[i]) break; a[i] = 1; } " + kBarrier) ==
        Texts{});
  CHECK(votes_in("if (lid) goto skip; " + kBarrier + " skip: a[0] = 1;") == Texts{"lid"});
}

TEST_CASE("barriers in callees count, and so do their parameters") {
  const std::string sync = "void sync(int x) { if (x) barrier(CLK_LOCAL_MEM_FENCE); }\n";
  CHECK(votes_in("sync(n);", sync) == Texts{});
  CHECK(votes_in("sync(lid);", sync) == Texts{"x"});
  CHECK(votes_in("if (lid) sync(1);", sync) == Texts{"lid"});
  const std::string mine =
      "int mine(int x) { return x + get_local_id(0); }\nint yours(int x) { return x + 1; }\n";
  CHECK(votes_in("if (mine(n)) " + kBarrier, mine) == Texts{"mine(n)"});
  CHECK(votes_in("if (yours(n)) " + kBarrier, mine) == Texts{});
}

TEST_CASE("blocks have votes of their own") {
  const auto enqueued = [](const std::string& body) {
    return votes_in("enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, "
                    "ndrange_1D(8), ^{ const int me = get_local_id(0); int x = n;\n" +
                        body + "});",
                    "", "CL2.0");
  };
  CHECK(enqueued("if (n > 3) " + kBarrier) == Texts{});
  CHECK(enqueued("if (get_group_id(0) + x) " + kBarrier) == Texts{});
  CHECK(enqueued("if (me > 3) " + kBarrier) == Texts{"me > 3"});
  CHECK(enqueued("if (me > 3) return; " + kBarrier) == Texts{"me > 3"});
  CHECK(enqueued("for (int i = 0; i < me; ++i) x++; while (x > n) { " + kBarrier + "}") ==
        Texts{"x > n"});
  // Blocks that the kernel calls.
  const std::string call = "void (^const sync)(int) = ^(int m) { if (m) barrier(0); }; ";
  CHECK(votes_in(call + "if (lid) sync(n);", "", "CL2.0") == Texts{"m", "lid"});
  CHECK(votes_in(call + "if (n) sync(n);", "", "CL2.0") == Texts{"m"});
}

TEST_CASE("without barriers there are no votes") {
  CHECK(votes_in("if (lid) a[lid] = 1;") == Texts{});
}

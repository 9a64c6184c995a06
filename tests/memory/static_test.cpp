// The static analysis by hand: on graphs of touches, and on kernels of a few lines with the cache
// of the embedded GPU, 32 sets of 2 lines of 64 bytes: ints 512 apart lie in one set.
#include "memory/static/lru.h"
#include "tests/catch.h"
#include "tests/memory/traced.h"

using namespace gputest::memory;
using namespace gputest::memory::tests;

namespace {

using enum Certainty;

Touch load(std::vector<std::uint32_t> lines, bool exact = true) {
  Touch touch{.exact = exact};
  for (const std::uint32_t line : lines)
    touch.lines.push_back({.line = line, .sectors = 1});
  return touch;
}

TouchGraph::Point point(std::vector<Touch> touches, std::vector<std::uint32_t> successors) {
  return {.reached = true, .touches = std::move(touches), .successors = std::move(successors)};
}

// References come in the order of blocks: what follows a loop before what is in it.
StaticReport report_of(const std::string& body, int n = 4) {
  const Tracer traced =
      tracer("kernel void k(global int* a, global int* b, int n) {\n  const int g = "
             "get_global_id(0);\n" +
             body + "}\n");
  return traced.classify(
      launch_of({64, 1, 1}, {32, 1, 1},
                {buffer(std::vector<int>(4096)), buffer(std::vector<int>(4096)), value(n)}),
      gpu_named("embedded"));
}

std::vector<Certainty> of_item(const StaticReport& report, std::size_t item = 0) {
  return report.patterns[report.items[item]];
}

} // namespace

TEST_CASE("Must and may: ages of lines of one set") {
  // a b a c b in a set of two lines: c evicts b, and a is still there before.
  const TouchGraph graph{
      .points = {point({load({0}), load({1}), load({0}), load({2}), load({1})}, {})},
      .set = {0, 0, 0}};
  const TouchResult found = analyse_touches(graph, 2);
  const auto at = [&](std::size_t i) { return found.certainty[0][i].certainty; };
  CHECK(at(0) == AlwaysMiss);
  CHECK(at(1) == AlwaysMiss);
  CHECK(at(2) == AlwaysHit);
  CHECK(at(3) == AlwaysMiss);
  CHECK(at(4) == AlwaysMiss);
  // In a set of three nothing is evicted.
  CHECK(analyse_touches(graph, 3).certainty[0][4].certainty == AlwaysHit);
}

TEST_CASE("Where paths join only what both have is sure") {
  // 0: a, then 1: b or 2: c, then 3: a b.
  const TouchGraph graph{.points = {point({load({0})}, {1, 2}), point({load({1})}, {3}),
                                    point({load({2})}, {3}), point({load({0}), load({1})}, {})},
                         .set = {0, 0, 0}};
  const TouchResult found = analyse_touches(graph, 2);
  CHECK(found.certainty[3][0].certainty == AlwaysHit);
  CHECK(found.certainty[3][1].certainty == Persistent); // there by way of 1, a miss by way of 2
}

TEST_CASE("One of several lines ages all others, and is not sure to be there") {
  const TouchGraph graph{
      .points = {point({load({0}), load({1, 2}, false), load({0}), load({1, 2}, false), load({0}),
                        load({1}), load({2}), load({0})},
                       {})},
      .set = {0, 0, 0}};
  const TouchResult found = analyse_touches(graph, 2);
  const auto at = [&](std::size_t i) { return found.certainty[0][i].certainty; };
  CHECK(at(1) == AlwaysMiss);
  CHECK(at(2) == AlwaysHit);
  CHECK(at(3) == Persistent); // whichever was loaded before is still there
  CHECK(at(4) == AlwaysHit);
  CHECK(at(7) == AlwaysMiss);
}

TEST_CASE("Atomic operations take lines away, and make room") {
  // a b, a dropped, c: no line is evicted, so b is still there.
  TouchGraph graph{
      .points = {point({load({0}), load({1}), load({0}), load({2}), load({1}), load({0})}, {})},
      .set = {0, 0, 0}};
  graph.points[0].touches[2].kind = Touch::Kind::Drop;
  const TouchResult found = analyse_touches(graph, 2);
  CHECK(found.certainty[0][2].certainty == AlwaysMiss);
  CHECK(found.certainty[0][4].certainty != AlwaysMiss);
  CHECK(found.certainty[0][5].certainty != AlwaysHit);
}

TEST_CASE("Reuse goes backwards to where a work-item may wait") {
  // a (miss: may wait), b (miss), a (hit), c of another set (miss), b (hit), barrier, a (hit).
  const Touch wait{.kind = Touch::Kind::Wait};
  const TouchGraph graph{.points = {point({load({0}), load({1})}, {1}),
                                    point({load({0}), load({2}), load({1})}, {2}),
                                    point({wait}, {3}), point({load({0})}, {})},
                         .set = {0, 0, 1}};
  // c is not used again.
  CHECK(analyse_touches(graph, 2).exposed == std::vector<bool>{true, true, false});
}

TEST_CASE("Straight code: the second access of a line hits, and three lines of a set do not fit") {
  const StaticReport report = report_of("  int s = a[g];\n  s += a[g + 512];\n"
                                        "  s += a[g + 1024];\n  s += b[g];\n  b[g] = s;\n");
  CHECK(of_item(report) ==
        std::vector<Certainty>{AlwaysMiss, AlwaysMiss, AlwaysMiss, AlwaysMiss, AlwaysHit});
}

TEST_CASE("Loops: the first iteration is told apart, and what fits stays") {
  // Work-item 0 reads ints 0 to 39: three lines, 16 ints each.
  const StaticReport report = report_of("  int s = 0;\n  for (int i = 0; i < n; ++i)\n"
                                        "    s += a[g + i];\n  b[g] = s;\n",
                                        40);
  CHECK(of_item(report) == std::vector<Certainty>{AlwaysMiss, Persistent});
  CHECK_FALSE(report.unknown[1]);
  // Rows that lie in one set: more of them than ways.
  const StaticReport rows = report_of("  int s = 0;\n  for (int r = 0; r < 2; ++r)\n"
                                      "    for (int i = 0; i < n; ++i)\n"
                                      "      s += a[i * 512];\n  b[g + 16] = s;\n",
                                      4);
  CHECK(of_item(rows)[1] == NotClassified);
  // As many as ways: nothing else is in the set.
  const StaticReport two = report_of("  int s = 0;\n  for (int r = 0; r < 2; ++r)\n"
                                     "    for (int i = 0; i < n; ++i)\n"
                                     "      s += a[i * 512];\n  b[g + 16] = s;\n",
                                     2);
  CHECK(of_item(two)[1] == Persistent);
}

TEST_CASE("Counters that are halved have few values") {
  const StaticReport report = report_of("  int s = 0;\n  for (int d = n / 2; d > 0; d >>= 1)\n"
                                        "    s += a[d * 16];\n  b[g + 16] = s;\n",
                                        64);
  CHECK_FALSE(report.unknown[1]);
  CHECK(of_item(report)[1] == Persistent); // lines 32, 16, 8, 4, 2, 1, and perhaps 0: one a set
}

TEST_CASE("Branches that ids and arguments decide are followed one way") {
  const StaticReport report =
      report_of("  if (g < 16)\n    a[g] = 1;\n  if (n > 3)\n    b[g] = a[0];\n");
  CHECK(of_item(report, 0) == std::vector<Certainty>{AlwaysMiss, AlwaysHit, AlwaysMiss});
  CHECK(of_item(report, 20) == std::vector<Certainty>{NotRun, AlwaysMiss, AlwaysMiss});
  CHECK(report.of_all(0) == AlwaysMiss);
  CHECK(report.of_all(1) == NotClassified); // hits for some, misses for others
  const StaticReport none = report_of("  if (n > 4)\n    b[g] = a[0];\n");
  CHECK(none.of_all(0) == NotRun);
}

TEST_CASE("What was read from memory is an address that is not known") {
  const StaticReport report = report_of("  b[g] = a[a[g]];\n");
  CHECK(report.unknown == std::vector<bool>{false, true, false});
  CHECK(of_item(report) == std::vector<Certainty>{AlwaysMiss, NotClassified, AlwaysMiss});
}

TEST_CASE("A conflict needs a line that is used again, and others that do not fit beside it") {
  // Each work-item reads a line, then one of another row, and its own again. Rows are 2,048 bytes
  // apart, so two lines of each set are used, and they fit.
  const std::string twice = "  int s = a[g];\n  s += b[g];\n  a[g] = s;\n";
  const StaticReport fits = report_of(twice);
  CHECK(fits.of_all(2) == AlwaysHit);
  CHECK_FALSE(fits.faces_conflict[2]);
  // Four rows of a in the same sets: what others read may evict it while b is waited for.
  const StaticReport report = report_of("  int s = a[g % 4 * 512];\n  s += b[g + 64];\n"
                                        "  a[g % 4 * 512] = s;\n");
  CHECK(report.of_all(2) == AlwaysHit);
  CHECK(report.faces_conflict[2]);
  CHECK_FALSE(report.faces_conflict[1]); // each work-item reads that once
}

TEST_CASE("What a kernel reads decides some places, and loops of any length decide others") {
  using Chosen = std::vector<bool>; // the read of `a`, that of `b`, and the write of `a`
  CHECK(report_of("  a[g] = b[a[g] & 63];\n").chosen_by_data == Chosen{false, true, false});
  CHECK(report_of("  int sum = 0;\n  for (int i = 0; i < n; ++i)\n    sum += b[i * 4 + g];\n"
                  "  a[g] = sum;\n",
                  900)
            .chosen_by_data == Chosen{false, false});
  CHECK(report_of("  int at = g;\n  for (int i = 0; i < n; ++i)\n    at = b[at];\n  a[g] = at;\n")
            .chosen_by_data == Chosen{false, true});
}

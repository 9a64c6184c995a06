// Random CUDA kernels whose threads tell each other values: the table's expressions are what the
// kernel computed, for the inputs that were traced and for others that go the same ways.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/testgen/solve/traced_kernel.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;

namespace {

constexpr std::size_t kInputs = 64; // a block has no more threads

class WarpKernel {
public:
  explicit WarpKernel(std::mt19937_64& random) : random_(random) {
    const unsigned statements = 4 + pick(5);
    for (unsigned i = 0; i < statements; ++i)
      body_ += statement();
  }

  std::string text() const {
    return "#include <cooperative_groups.h>\n"
           "#include <cooperative_groups/reduce.h>\n"
           "#include <cooperative_groups/scan.h>\n"
           "namespace cg = cooperative_groups;\n"
           "__global__ void k(const int* in, int* out, unsigned char p, unsigned char q) {\n"
           "  const int t = threadIdx.x, lane = t & 31;\n"
           "  int x = in[t], y = p * t + q;\n"
           "  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());\n"
           "  const auto four = cg::tiled_partition<4>(warp);\n" +
           body_ +
           "  switch (x) { case 987654321: out[t] = 1; }\n"
           "  switch (y) { case 987654321: out[t] = 2; }\n"
           "}\n";
  }

private:
  unsigned pick(std::size_t count) { return static_cast<unsigned>(random_() % count); }
  std::string one_of(const std::vector<std::string>& all) { return all[pick(all.size())]; }
  std::string variable() { return one_of({"x", "y"}); }

  std::string expression(unsigned depth = 2) {
    if (depth == 0 || pick(4) == 0)
      return one_of({"x", "y", "t", "(int)p", "(int)q", std::to_string(pick(40))});
    const std::string a = expression(depth - 1), b = expression(depth - 1);
    return fmt::format(fmt::runtime(one_of({"({} + {})", "({} - {})", "({} * {})", "({} ^ {})",
                                            "({} & {})", "({} < {})", "({} == {})", "min({}, {})",
                                            "({} % (({} & 15) + 1))", "({} >> ({} & 7))"})),
                       a, b);
  }
  std::string condition() {
    return fmt::format("({} {} {})", expression(), one_of({"<", ">", "==", "!="}), expression(1));
  }
  std::string width() { return one_of({"32", "16", "8", "4", "2"}); }
  // How far a shuffle goes; some depend on inputs.
  std::string far() {
    return pick(3) == 0 ? fmt::format("({} & 31)", expression(1)) : std::to_string(pick(33));
  }

  // What all threads of the mask call together.
  std::string together(const std::string& mask) {
    const std::string value = expression();
    switch (pick(16)) {
    case 0:
      return fmt::format("__shfl_sync({}, {}, {}, {})", mask, value, far(), width());
    case 1:
      return fmt::format("__shfl_up_sync({}, {}, {}, {})", mask, value, far(), width());
    case 2:
      return fmt::format("__shfl_down_sync({}, {}, {}, {})", mask, value, far(), width());
    case 3:
      return fmt::format("__shfl_xor_sync({}, {}, {}, {})", mask, value, far(), width());
    case 4:
      return fmt::format("(int)__ballot_sync({}, {})", mask, condition());
    case 5:
      return fmt::format("__popc(__ballot_sync({}, {}))", mask, condition());
    case 6:
      return fmt::format("__{}_sync({}, {})", one_of({"all", "any", "uni"}), mask, condition());
    case 7:
      return fmt::format("(int)__match_any_sync({}, {} & 3)", mask, value);
    case 8:
      return fmt::format("match_all({}, {} & {})", mask, value, pick(2));
    case 9:
      return fmt::format("(int)__shfl_sync({}, (long long){} * 4294967297ll, {}, {})", mask, value,
                         far(), width());
    case 10:
      return fmt::format("(int)__shfl_down_sync({}, {} * 0.5f, {})", mask, value, pick(9));
    case 11:
      return fmt::format("(int)__shfl_sync({}, (short){}, {}, {} & 1 ? 8 : 16)", mask, value,
                         pick(16), expression(1));
    case 12:
      return fmt::format("(int)__reduce_{}_sync({}, (unsigned){})",
                         one_of({"add", "min", "max", "and", "or", "xor"}), mask, value);
    default:
      return fmt::format("__reduce_{}_sync({}, (int){})", one_of({"add", "min", "max"}), mask,
                         value);
    }
  }

  std::string statement() {
    const std::string to = variable();
    switch (pick(12)) {
    case 0: { // threads that go two ways
      const std::string mask = fmt::format("m{}", names_++), when = condition();
      return fmt::format("  const unsigned {0} = __ballot_sync(0xffffffff, {1});\n"
                         "  if ({0} >> lane & 1) {2} += {3};\n  else {2} ^= {4};\n",
                         mask, when, to, together(mask),
                         together(fmt::format("(unsigned)~{}", mask)));
    }
    case 1: // the same for all inputs
      return fmt::format("  if (lane % 3 == 0) {0} += {1};\n  else if (lane > 9) {0} -= {2};\n", to,
                         together("0x49249249u"), together("0xb6db6c00u"));
    case 2:
      return fmt::format("  if ({}) {{ const unsigned m = __activemask(); {} += {}; }}\n",
                         condition(), to, together("m"));
    case 3:
      return fmt::format("  {} += __syncthreads_{}({});\n", to, one_of({"count", "and", "or"}),
                         condition());
    case 4:
      return fmt::format("  {} += cg::reduce({}, {}, cg::{}<int>());\n", to,
                         one_of({"warp", "four"}), expression(),
                         one_of({"plus", "less", "greater"}));
    case 5:
      return fmt::format("  {} -= cg::inclusive_scan({}, {});\n", to, one_of({"warp", "four"}),
                         expression());
    case 6: // some leave
      return left_++ ? "" : fmt::format("  if ({} == 3) return;\n", expression(1));
    case 7:
      return fmt::format("  {} = {};\n", to, expression());
    default:
      return fmt::format("  {} {} {};\n", to, one_of({"=", "+=", "^="}), together("0xffffffff"));
    }
  }

  std::mt19937_64& random_;
  std::string body_;
  unsigned names_ = 0, left_ = 0;
};

std::vector<Argument> random_warp_arguments(std::mt19937_64& random) {
  std::vector<int> in(kInputs);
  const bool small = random() % 2;
  for (int& one : in)
    one = small ? static_cast<int>(random() % 9) - 2 : static_cast<int>(random());
  return {buffer(in), buffer(std::vector<int>(kInputs)), value(static_cast<std::uint8_t>(random())),
          value(static_cast<std::uint8_t>(random()))};
}

bool is_decision(const TracedSite& site) {
  return site.kind == TracedSite::Kind::Branch || site.kind == TracedSite::Kind::Switch;
}

// One that decides something, and not the values at the end.
bool decides(const Traced& traced, const Event& event, unsigned first_line_of_end) {
  const TracedSite& site = (*traced.sites)[event.site];
  return is_decision(site) && site.place.line < first_line_of_end;
}

bool went_the_same_way(const Traced& a, const Traced& b, unsigned end) {
  if (a.events.size() != b.events.size())
    return false;
  for (std::size_t i = 0; i < a.events.size(); ++i)
    if (a.events[i].site != b.events[i].site || a.events[i].item != b.events[i].item ||
        (decides(a, a.events[i], end) && a.events[i].value != b.events[i].value))
      return false;
  return true;
}

} // namespace

TEST_CASE("The expressions of random kernels of warps are what the kernels computed") {
  const std::string header =
      "__device__ int match_all(unsigned mask, int value) {"
      " int same; return (int)__match_all_sync(mask, value, &same) + same; }\n";
  std::size_t values = 0, others = 0;
  const std::size_t kernels = gputest::tests::random_count(6);
  for (const std::size_t seed : gputest::tests::random_seeds(6)) {
    std::mt19937_64 random(seed);
    const WarpKernel kernel(random);
    const std::string text = kernel.text();
    const std::size_t begin = text.find("__global__");
    const std::string whole = text.substr(0, begin) + header + text.substr(begin);
    const auto end = static_cast<unsigned>(std::ranges::count(whole, '\n') - 2);
    INFO("seed " << seed << "\n" << whole);
    Tracer tracer = cuda_tracer_of(whole);
    REQUIRE(tracer.lost().empty());
    const std::size_t threads = std::vector<std::size_t>{32, 64, 20, 7, 45}[random() % 5];
    const Traced traced = tracer.trace(line(threads, threads), random_warp_arguments(random));
    if (!traced.result.findings.empty()) { // a kernel at fault
      INFO(traced.result.findings.front().message);
      REQUIRE(traced.result.findings.empty());
    }
    REQUIRE(traced.complete);
    std::vector<Label> labels;
    for (const Event& event : traced.events)
      labels.push_back(event.label);
    Tape tape(traced.table, labels, traced.functions.get());
    const auto check = [&](const Traced& run) {
      const auto now = tape.run(run.values);
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if (now[i] == run.events[i].value)
          continue;
        INFO("event " << i << " of thread " << run.events[i].item << ", line "
                      << (*traced.sites)[traced.events[i].site].place.line << ": "
                      << text_of(traced.table, labels[i], traced.unit_names()));
        REQUIRE(now[i] == run.events[i].value);
      }
      values += labels.size();
    };
    check(traced);
    for (unsigned i = 0; i < 12; ++i) {
      const Traced other = tracer.trace(line(threads, threads), random_warp_arguments(random));
      if (!went_the_same_way(traced, other, end))
        continue;
      check(other);
      ++others;
    }
  }
  CAPTURE(values, others);
  CHECK(values > 20 * kernels);
  CHECK(others > kernels / 2);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items in lock step: kernels whose authors rely on it, and random kernels beside a plain
// model, which runs each statement for all lanes before the next. GPUTEST_RANDOM says how many; a
// failure names the seed.
#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/random_count.h"
#include "tests/simulator/simulated.h"

#include "ir/error.h"

#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <random>
#include <utility>

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;
using gputest::tests::ContainsSubstring;

namespace {

using CheckNames = std::vector<std::string>;

Ran in_step(const std::string& text, unsigned lanes, std::size_t group, const CheckNames& checks,
            bool cuda = false) {
  std::vector<int> in(2 * group);
  std::iota(in.begin(), in.end(), 1);
  return run({.text = text,
              .global_size = in.size(),
              .local_size = group,
              .arguments = {buffer(in), buffer(std::vector<int>(in.size()))},
              .checks = checks,
              .definitions = lanes == 0 ? std::vector<std::string>{}
                                        : std::vector{fmt::format("GPUTEST_LOCK_STEP={}", lanes)},
              .cuda = cuda});
}

// Sums 64 numbers as NVIDIA's samples do, without barriers in the last warp.
constexpr const char* kSum = "kernel void k(global const int* in, global int* out) {\n"
                             "  local int part[64];\n"
                             "  const int t = get_local_id(0);\n"
                             "  part[t] = in[get_global_id(0)];\n"
                             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "  if (t < 32)\n"
                             "    for (int by = 32; by > 0; by >>= 1)\n"
                             "      part[t] += part[t + by];\n"
                             "  if (t == 0)\n"
                             "    out[get_group_id(0)] = part[0];\n"
                             "}\n";

// A prefix sum whose lanes wait within a branch.
constexpr const char* kScan = "kernel void k(global const int* in, global int* out) {\n"
                              "  local int part[32];\n"
                              "  const int t = get_local_id(0);\n"
                              "  part[t] = in[get_global_id(0)];\n"
                              "  for (int by = 1; by < 32; by *= 2)\n"
                              "    if (t >= by)\n"
                              "      part[t] += part[t - by];\n"
                              "  out[get_global_id(0)] = part[t];\n"
                              "}\n";

const CheckNames kAllChecks{"races", "barriers", "bounds", "uninitialized", "arithmetic"};

} // namespace

TEST_CASE("A sum in the last warp without barriers") {
  for (const CheckNames& checks : {CheckNames{}, kAllChecks}) {
    const Ran ran = in_step(kSum, 32, 64, checks);
    CHECK(ran.findings().empty());
    CHECK(ran.values<int>(1)[0] == 64 * 65 / 2);
    CHECK(ran.values<int>(1)[1] == 64 * 65 / 2 + 64 * 64);
  }
  CHECK_THAT(in_step(kSum, 0, 64, {"races"}).findings(), ContainsSubstring("race 8/8"));
  CHECK_THAT(in_step(kSum, 16, 64, {"races"}).findings(), ContainsSubstring("race 8/8"));
}

TEST_CASE("A prefix sum with waits in branches") {
  for (const CheckNames& checks : {CheckNames{}, kAllChecks}) {
    const Ran ran = in_step(kScan, 32, 32, checks);
    CHECK(ran.findings().empty());
    CHECK(ran.values<int>(1)[31] == 32 * 33 / 2);
    CHECK(ran.values<int>(1)[40] == 9 * 10 / 2 + 9 * 32);
  }
  CHECK_THAT(in_step(kScan, 0, 32, {"races"}).findings(), ContainsSubstring("race 7/7"));
}

TEST_CASE("Lock step orders nothing between warps, nor two writes of one instruction") {
  const auto races_of = [](const std::string& body) {
    return in_step("kernel void k(global const int* in, global int* out) {\n"
                   "local int part[32];\nconst int t = get_local_id(0);\n" +
                       body + "\nout[get_global_id(0)] = part[t];\n}\n",
                   16, 32, {"races"})
        .findings();
  };
  CHECK(races_of("part[t] = t; part[t] += part[t ^ 1];").empty());
  CHECK_THAT(races_of("part[t] = t; part[t] += part[t ^ 16];"), ContainsSubstring("race"));
  CHECK_THAT(races_of("part[t / 2] = t; barrier(CLK_LOCAL_MEM_FENCE);"), ContainsSubstring("race"));
  // The hardware may take the two branches in either order.
  CHECK_THAT(races_of("part[t] = t;\nif (t & 1)\npart[t] = 5;\nelse\npart[t] = part[t + 1];"),
             ContainsSubstring("race 6/8"));
}

TEST_CASE("Threads of CUDA in lock step need no volatile variables") {
  const std::string text = "__global__ void k(const int* in, int* out) {\n"
                           "  __shared__ int part[64];\n"
                           "  const int t = threadIdx.x;\n"
                           "  part[t] = in[blockIdx.x * 64 + t];\n"
                           "  __syncthreads();\n"
                           "  if (t < 32)\n"
                           "    for (int by = 32; by > 0; by >>= 1)\n"
                           "      part[t] += part[t + by];\n"
                           "  if (t == 0)\n"
                           "    out[blockIdx.x] = part[0];\n"
                           "}\n";
  const Ran ran = in_step(text, 32, 64, kAllChecks, true);
  CHECK(ran.findings().empty());
  CHECK(ran.values<int>(1)[0] == 64 * 65 / 2);
  CHECK_THAT(in_step(text, 0, 64, {"races"}, true).findings(), ContainsSubstring("race 8/8"));
  CHECK_THROWS_WITH(in_step(text, 16, 64, {}, true),
                    ContainsSubstring("16 threads in lock step are asked for, and a warp has 32"));
}

TEST_CASE("Neighbours in lock step are those of linear local ids, in groups of all dimensions") {
  struct GroupOf32 {
    std::size_t width, height, depth;
  };
  for (const auto& [width, height, depth] : {GroupOf32{8, 4, 1}, GroupOf32{4, 2, 4}})
    for (const CheckNames& checks : {CheckNames{}, kAllChecks})
      for (const int other : {1, 4, 8, 16}) { // 16: of the other half
        INFO(width << " x " << height << " x " << depth << ", " << other);
        const Ran ran =
            run({.text = fmt::format(
                     "kernel void k(global int* out) {{\n"
                     "  local int part[32];\n"
                     "  const int t = get_local_id(0) + get_local_size(0) * (get_local_id(1) +\n"
                     "                get_local_size(1) * get_local_id(2));\n"
                     "  part[t] = t;\n"
                     "  part[t] += part[t ^ {}];\n"
                     "  out[32 * get_group_id(0) + t] = part[t];\n"
                     "}}\n",
                     other),
                 .global_size = 2 * width,
                 .local_size = width,
                 .height = height,
                 .depth = depth,
                 .arguments = {buffer(std::vector<int>(64))},
                 .checks = checks,
                 .definitions = {"GPUTEST_LOCK_STEP=16"}});
        if (other == 16) {
          CHECK((checks.empty() || ran.findings().starts_with("race ")));
          continue;
        }
        CHECK(ran.findings().empty());
        const std::vector<int> out = ran.values<int>(0);
        for (int t = 0; t < 64; ++t)
          CHECK(out[static_cast<std::size_t>(t)] == t % 32 + (t % 32 ^ other));
      }
}

TEST_CASE("Work-items in lock step are a sub-group, whatever the environment says") {
  const gputest::tests::Environment sixteen({{"GPUTEST_SUB_GROUP_SIZE", "16"}});
  const std::string text = "kernel void k(global const int* in, global int* out) {\n"
                           "  out[get_global_id(0)] = get_max_sub_group_size();\n"
                           "}\n";
  CHECK(in_step(text, 0, 64, {}).values<int>(1)[0] == 16);
  CHECK(in_step(text, 32, 64, {}).values<int>(1)[0] == 32);
  CHECK(in_step(kSum, 32, 64, kAllChecks).findings().empty());
  CHECK_THROWS_WITH(
      run({.text = kSum, .definitions = {"GPUTEST_LOCK_STEP=32", "GPUTEST_SUB_GROUP_SIZE=16"}}),
      ContainsSubstring("32 work-items in lock step cannot have sub-groups of 16"));
}

TEST_CASE("Numbers of work-items that cannot be in lock step") {
  for (const unsigned lanes : {1U, 12U, 128U})
    CHECK_THROWS_WITH(in_step(kSum, lanes, 64, {}),
                      ContainsSubstring("work-items cannot be in lock step: 2, 4, 8, 16, 32 and "
                                        "64 can"));
  CHECK_THROWS_WITH(
      in_step("__attribute__((intel_reqd_sub_group_size(16)))\n" + std::string(kSum), 32, 64, {}),
      ContainsSubstring("requires sub-groups of 16 work-items, and 32 are to run in lock step"));
}

namespace {

constexpr std::size_t kLanes = 8, kGroup = 16;

// The state of all lanes of a group.
struct LaneState {
  std::vector<unsigned> x = std::vector<unsigned>(kGroup), shared = std::vector<unsigned>(kGroup);
  std::vector<bool> left_loop = std::vector<bool>(kGroup), goes_on = std::vector<bool>(kGroup);
  bool writes_meet = false; // two lanes write one place in one instruction

  // The place in its warp's part of the memory.
  std::size_t place(std::size_t lane, unsigned number) const {
    return lane / kLanes * kLanes + number % kLanes;
  }
};
using LaneMask = std::vector<bool>;
using ApplyInStep = std::function<void(LaneState&, LaneMask&)>;
struct LockStepCode {
  std::string text;
  ApplyInStep apply;
};

class LockStepWriter {
public:
  explicit LockStepWriter(std::size_t seed) : random_(seed) {}

  // Whether lanes leave a branch to another place than the others, so that only the model orders
  // what these do next.
  bool parts_for_good() const { return parts_for_good_; }

  LockStepCode block(unsigned depth, bool in_loop) {
    LockStepCode all;
    std::vector<ApplyInStep> parts;
    for (unsigned i = 0, count = 1 + below(4); i < count; ++i) {
      LockStepCode one = statement(depth, in_loop);
      all.text += one.text;
      parts.push_back(std::move(one.apply));
    }
    all.apply = [parts](LaneState& lanes, LaneMask& mask) {
      for (const ApplyInStep& part : parts)
        part(lanes, mask);
    };
    return all;
  }

private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  struct NumberInStep {
    std::string text;
    std::function<unsigned(const LaneState&, std::size_t)> of;
  };
  NumberInStep number() {
    const unsigned factor = 1 + 2 * below(4), add = below(8);
    if (below(3) == 0)
      return {fmt::format("(x + {}u)", add),
              [=](const LaneState& lanes, std::size_t lane) { return lanes.x[lane] + add; }};
    return {fmt::format("(l * {}u + {}u)", factor, add), [=](const LaneState&, std::size_t lane) {
              return static_cast<unsigned>(lane) * factor + add;
            }};
  }
  NumberInStep condition() {
    const unsigned bit = 1u << below(3);
    const bool of_x = below(2) != 0;
    return {fmt::format("{} & {}u", of_x ? "x" : "l", bit),
            [=](const LaneState& lanes, std::size_t lane) {
              return (of_x ? lanes.x[lane] : static_cast<unsigned>(lane)) & bit;
            }};
  }

  // Calls `change` for each lane of the mask.
  template <typename Change> static ApplyInStep each(Change change) {
    return [change](LaneState& lanes, LaneMask& mask) {
      for (std::size_t lane = 0; lane < kGroup; ++lane)
        if (mask[lane])
          change(lanes, lane);
    };
  }

  static void store(LaneState& lanes, const LaneMask& mask, const NumberInStep& at,
                    const std::vector<unsigned>& values) {
    std::vector<bool> written(kGroup);
    for (std::size_t lane = 0; lane < kGroup; ++lane) {
      if (!mask[lane])
        continue;
      const std::size_t place = lanes.place(lane, at.of(lanes, lane));
      lanes.writes_meet = lanes.writes_meet || written[place];
      written[place] = true;
      lanes.shared[place] = values[lane];
    }
  }

  LockStepCode statement(unsigned depth, bool in_loop) {
    const NumberInStep at = number();
    const std::string place = fmt::format("s[l / {0}u * {0}u + {1} % {0}u]", kLanes, at.text);
    const unsigned kind = below(depth == 0 ? (in_loop ? 5 : 3) : (in_loop ? 8 : 6));
    if (kind == 0)
      return {place + " = x;\n",
              [at](LaneState& lanes, LaneMask& mask) { store(lanes, mask, at, lanes.x); }};
    if (kind == 1)
      return {"x += " + place + ";\n", each([at](LaneState& lanes, std::size_t lane) {
                lanes.x[lane] += lanes.shared[lanes.place(lane, at.of(lanes, lane))];
              })};
    if (kind == 2)
      return {place + " += x;\n", [at](LaneState& lanes, LaneMask& mask) {
                std::vector<unsigned> values(kGroup);
                for (std::size_t lane = 0; lane < kGroup; ++lane)
                  if (mask[lane])
                    values[lane] =
                        lanes.x[lane] + lanes.shared[lanes.place(lane, at.of(lanes, lane))];
                store(lanes, mask, at, values);
              }};
    if (in_loop && kind < 5) {
      const NumberInStep when = condition();
      const bool leaves = kind == 3;
      parts_for_good_ = parts_for_good_ || branches_ > 0;
      return {fmt::format("if ({}) {};\n", when.text, leaves ? "break" : "continue"),
              [when, leaves](LaneState& lanes, LaneMask& mask) {
                for (std::size_t lane = 0; lane < kGroup; ++lane)
                  if (mask[lane] && when.of(lanes, lane)) {
                    mask[lane] = false;
                    lanes.goes_on[lane] = !leaves;
                  }
              }};
    }
    if (below(2) == 0)
      return branch(depth, in_loop);
    return loop(depth);
  }

  LockStepCode branch(unsigned depth, bool in_loop) {
    const NumberInStep when = condition();
    ++branches_;
    const LockStepCode then = block(depth - 1, in_loop);
    --branches_;
    return {fmt::format("if ({}) {{\n{}}}\n", when.text, then.text),
            [when, then](LaneState& lanes, LaneMask& mask) {
              LaneMask within(kGroup);
              for (std::size_t lane = 0; lane < kGroup; ++lane)
                within[lane] = mask[lane] && when.of(lanes, lane);
              const LaneMask before = within;
              then.apply(lanes, within);
              for (std::size_t lane = 0; lane < kGroup; ++lane)
                if (before[lane])
                  mask[lane] = within[lane];
            }};
  }

  LockStepCode loop(unsigned depth) {
    const std::string count = fmt::format("n{}", ++loops_);
    const unsigned around = std::exchange(branches_, 0); // jumps stay in the loop
    const LockStepCode body = block(depth - 1, true);
    branches_ = around;
    return {
        fmt::format("for (uint {0} = (x ^ l) % 4u; {0} > 0; --{0}) {{\n{1}}}\n", count, body.text),
        [body](LaneState& lanes, LaneMask& mask) {
          std::vector<unsigned> left(kGroup);
          for (std::size_t lane = 0; lane < kGroup; ++lane)
            left[lane] = mask[lane] ? (lanes.x[lane] ^ static_cast<unsigned>(lane)) % 4 : 0;
          const std::vector<bool> outer = lanes.goes_on;
          while (true) {
            LaneMask within(kGroup);
            bool any = false;
            for (std::size_t lane = 0; lane < kGroup; ++lane) {
              within[lane] = left[lane] > 0;
              any = any || within[lane];
            }
            if (!any)
              break;
            const LaneMask before = within;
            body.apply(lanes, within);
            for (std::size_t lane = 0; lane < kGroup; ++lane)
              if (before[lane])
                left[lane] = within[lane] || lanes.goes_on[lane] ? left[lane] - 1 : 0;
          }
          lanes.goes_on = outer;
        }};
  }

  std::mt19937_64 random_;
  unsigned loops_ = 0, branches_ = 0; // loops so far, branches around a statement
  bool parts_for_good_ = false;
};

} // namespace

TEST_CASE("Random kernels in lock step do what a plain model does") {
  for (const std::size_t seed : gputest::tests::random_seeds(40)) {
    LockStepWriter writer(seed);
    const LockStepCode code = writer.block(3, false);
    LaneState lanes;
    for (std::size_t lane = 0; lane < kGroup; ++lane)
      lanes.x[lane] = static_cast<unsigned>(lane * lane + seed);
    LaneMask all(kGroup, true);
    code.apply(lanes, all);
    const std::string text = "kernel void k(global uint* x_of, global uint* s_of) {\n"
                             "local uint s[16];\nconst uint l = get_local_id(0);\n"
                             "uint x = x_of[l];\ns[l] = 0;\nbarrier(CLK_LOCAL_MEM_FENCE);\n" +
                             code.text +
                             "barrier(CLK_LOCAL_MEM_FENCE);\nx_of[l] = x;\ns_of[l] = s[l];\n}\n";
    std::vector<unsigned> x(kGroup);
    for (std::size_t lane = 0; lane < kGroup; ++lane)
      x[lane] = static_cast<unsigned>(lane * lane + seed);
    for (const CheckNames& checks : {CheckNames{}, CheckNames{"races"}}) {
      const Ran ran = run({.text = text,
                           .global_size = kGroup,
                           .local_size = kGroup,
                           .arguments = {buffer(x), buffer(std::vector<unsigned>(kGroup))},
                           .checks = checks,
                           .definitions = {fmt::format("GPUTEST_LOCK_STEP={}", kLanes)}});
      INFO("seed " << seed << '\n' << text);
      if (lanes.writes_meet) {
        CHECK((checks.empty() || !ran.findings().empty()));
        continue;
      }
      CHECK((writer.parts_for_good() || ran.findings().empty()));
      CHECK(ran.values<unsigned>(0) == lanes.x);
      CHECK(ran.values<unsigned>(1) == lanes.shared);
    }
  }
}

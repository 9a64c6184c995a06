// Random kernels over functions of sub-groups and work-groups, beside a plain model: each step of a
// kernel has its text, and what it does to the values of all work-items. GPUTEST_RANDOM says how
// many kernels; a failure names the seed.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/simulator/simulated.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <functional>
#include <random>

using namespace gputest::ir;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;

namespace {

struct Number {
  const char* name;
  unsigned bits;
  bool is_signed;

  // Values are kept as numbers of 64 bits; those of ulong by their bits.
  std::int64_t wrap(std::uint64_t value) const {
    const unsigned shift = 64 - bits;
    return is_signed ? static_cast<std::int64_t>(value << shift) >> shift
                     : static_cast<std::int64_t>(value << shift >> shift);
  }
  bool less(std::int64_t left, std::int64_t right) const {
    return is_signed ? left < right
                     : static_cast<std::uint64_t>(left) < static_cast<std::uint64_t>(right);
  }
};
const Number kNumbers[] = {{"char", 8, true},     {"uchar", 8, false}, {"short", 16, true},
                           {"ushort", 16, false}, {"int", 32, true},   {"uint", 32, false},
                           {"long", 64, true},    {"ulong", 64, false}};

struct Values {
  Number type;
  std::size_t lanes, group; // sizes of a full sub-group and of a work-group
  std::vector<std::int64_t> x;
  std::vector<bool> here;               // work-items that have entered the branch
  mutable bool takes_of_absent = false; // somebody takes the value of a work-item that is not here

  std::size_t lane(std::size_t item) const { return item % group % lanes; }
  std::size_t first(std::size_t item) const { return item - lane(item); }
  std::size_t size(std::size_t item) const { return std::min(lanes, group - first(item) % group); }
};

using Apply = std::function<void(Values&)>;
struct Step {
  std::string text;
  Apply apply;
};

// New values of all that are here, from the values before.
template <typename Change> Apply change(Change of) {
  return [of](Values& values) {
    const std::vector<std::int64_t> before = values.x;
    for (std::size_t i = 0; i < before.size(); ++i)
      if (values.here[i])
        values.x[i] = values.type.wrap(static_cast<std::uint64_t>(of(values, before, i)));
  };
}

std::int64_t combined(const Number& type, const std::string& name, std::int64_t left,
                      std::int64_t right) {
  const auto l = static_cast<std::uint64_t>(left), r = static_cast<std::uint64_t>(right);
  if (name == "min" || name == "max")
    return type.less(left, right) == (name == "min") ? left : right;
  return type.wrap(name == "add"   ? l + r
                   : name == "mul" ? l * r
                   : name == "and" ? l & r
                   : name == "or"  ? l | r
                                   : l ^ r);
}

std::int64_t nothing(const Number& type, const std::string& name) {
  const std::uint64_t all = ~std::uint64_t{0}, top = std::uint64_t{1} << (type.bits - 1);
  if (name == "min")
    return type.wrap(type.is_signed ? top - 1 : all);
  if (name == "max")
    return type.wrap(type.is_signed ? top : 0);
  return type.wrap(name == "mul" ? 1 : name == "and" ? all : 0);
}

class StepWriter {
public:
  explicit StepWriter(unsigned seed) : random_(seed) {}

  unsigned below(std::size_t end) { return static_cast<unsigned>(random_() % end); }
  template <typename Choices> auto one_of(const Choices& choices) {
    return choices[below(std::size(choices))];
  }

  Values begin() {
    Values values;
    values.type = one_of(kNumbers);
    values.lanes = std::size_t{8} << below(4);
    values.group = 1 + below(100);
    const std::size_t items = values.group * (1 + below(2));
    for (std::size_t i = 0; i < items; ++i)
      values.x.push_back(values.type.wrap(random_() << 32 | random_()));
    values.here.assign(items, true);
    type_ = values.type;
    lanes_ = values.lanes;
    group_ = values.group;
    return values;
  }

  // A statement that every work-item of the group reaches.
  Step statement(unsigned depth) {
    switch (below(depth ? 7 : 5)) {
    case 0:
      return mix();
    case 1:
      return folded("sub_group", {"add", "min", "max"}, lanes_);
    case 2:
      if (type_.bits >= 32)
        return folded("work_group", {"add", "min", "max"}, group_);
      return mix();
    case 3:
      return broadcast();
    case 4:
      return lonely();
    case 5:
      return branch(depth);
    default:
      return loop(depth);
    }
  }

private:
  Step mix() {
    const unsigned factor = 1 + 2 * below(7), added = below(50);
    return {fmt::format("x = ({})(x * {} + (get_sub_group_local_id() ^ {}));", type_.name, factor,
                        added),
            change([=](const Values& values, const std::vector<std::int64_t>& x, std::size_t i) {
              return static_cast<std::uint64_t>(x[i]) * factor + (values.lane(i) ^ added);
            })};
  }

  // reduce_, scan_inclusive_ or scan_exclusive_ of parts of the group. Those that are here take
  // part.
  Step folded(const std::string& prefix, const std::vector<std::string>& names, std::size_t part) {
    const std::string name = one_of(names);
    const char* const kinds[] = {"reduce", "scan_inclusive", "scan_exclusive"};
    const std::string kind = one_of(kinds);
    return {fmt::format("x = {}_{}_{}(x);", prefix, kind, name),
            change([=](const Values& values, const std::vector<std::int64_t>& x, std::size_t i) {
              const std::size_t in_group = i % values.group, start = i - in_group % part;
              const std::size_t end = kind == "reduce"
                                          ? std::min(start + part, i - in_group + values.group)
                                      : kind == "scan_inclusive" ? i + 1
                                                                 : i;
              return fold(values, x, start, end, name);
            })};
  }

  static std::int64_t fold(const Values& values, const std::vector<std::int64_t>& x,
                           std::size_t begin, std::size_t end, const std::string& name) {
    std::int64_t result = nothing(values.type, name);
    for (std::size_t i = begin; i < end; ++i)
      if (values.here[i])
        result = combined(values.type, name, result, x[i]);
    return result;
  }

  Step broadcast() {
    if (below(2) || type_.bits < 32) {
      const std::size_t last = group_ % lanes_ ? group_ % lanes_ : std::min(group_, lanes_);
      const unsigned lane = below(last);
      return {fmt::format("x = sub_group_broadcast(x, {});", lane),
              from([=](const Values& values, std::size_t i) { return values.first(i) + lane; })};
    }
    const unsigned item = below(group_);
    return {fmt::format("x = work_group_broadcast(x, {});", item),
            from([=](const Values& values, std::size_t i) { return i - i % values.group + item; })};
  }

  // The value of another work-item, if that is there and here, otherwise one's own.
  template <typename Source> static Apply from(Source source) {
    return change([=](const Values& values, const std::vector<std::int64_t>& x, std::size_t i) {
      const std::size_t other = source(values, i);
      values.takes_of_absent |= other < x.size() && !values.here[other];
      return x[other < x.size() && values.here[other] ? other : i];
    });
  }
  // The same with a lane of the sub-group; lanes past its end are not there.
  template <typename Source> static Apply from_lane(Source source) {
    return from([=](const Values& values, std::size_t i) {
      const std::size_t lane = source(values, values.lane(i));
      return lane < values.size(i) ? values.first(i) + lane : i;
    });
  }

  // What not all work-items of a sub-group need to call.
  Step lonely() {
    const unsigned by = below(lanes_), cluster = 1U << below(std::bit_width(lanes_));
    const std::size_t most = std::min(lanes_, group_);
    const std::vector<std::string> names{"add", "mul", "min", "max", "and", "or", "xor"};
    switch (below(11)) {
    case 0:
      return folded("sub_group_non_uniform", names, lanes_);
    case 1: {
      const std::string name = one_of(names);
      return {fmt::format("x = sub_group_clustered_reduce_{}(x, {});", name, cluster),
              change([=](const Values& values, const std::vector<std::int64_t>& x, std::size_t i) {
                const std::size_t begin = i - values.lane(i) % cluster;
                return fold(values, x, begin,
                            std::min(begin + cluster, values.first(i) + values.size(i)), name);
              })};
    }
    case 2:
      return {fmt::format("x = sub_group_shuffle_xor(x, {});", by),
              from_lane([=](const Values&, std::size_t lane) { return lane ^ by; })};
    case 3:
      return {fmt::format("x = sub_group_shuffle_up(x, {});", by),
              from_lane([=](const Values&, std::size_t lane) { return lane - by; })};
    case 4:
      return {fmt::format("x = sub_group_shuffle_down(x, {});", by),
              from_lane([=](const Values&, std::size_t lane) { return lane + by; })};
    case 5:
      return {fmt::format("x = sub_group_shuffle(x, (get_sub_group_local_id() * 5 + {}) % {});", by,
                          most),
              from_lane([=](const Values&, std::size_t lane) { return (lane * 5 + by) % most; })};
    case 6:
      return {fmt::format("x = sub_group_rotate(x, {});", by),
              from_lane([=](const Values&, std::size_t lane) { return (lane + by) % most; })};
    case 7:
      return {fmt::format("x = sub_group_clustered_rotate(x, {}, {});", by, cluster),
              from_lane([=](const Values&, std::size_t lane) {
                return lane / cluster * cluster + (lane + by) % cluster;
              })};
    case 8:
      return {"x = sub_group_broadcast_first(x);",
              change([](const Values& values, const std::vector<std::int64_t>& x, std::size_t i) {
                return x[first_here(values, i)];
              })};
    case 9:
      return {fmt::format("x += ({})sub_group_elect();", type_.name),
              change([](const Values& values, const std::vector<std::int64_t>& x, std::size_t i) {
                return static_cast<std::uint64_t>(x[i]) + (first_here(values, i) == i);
              })};
    default:
      return ballot();
    }
  }

  static std::size_t first_here(const Values& values, std::size_t i) {
    std::size_t first = values.first(i);
    while (!values.here[first])
      ++first;
    return first;
  }

  Step ballot() {
    const char* const kinds[] = {"bit_count", "inclusive_scan", "exclusive_scan"};
    const std::string kind = one_of(kinds);
    return {fmt::format("x ^= ({})sub_group_ballot_{}(sub_group_ballot((int)(x & 1)));", type_.name,
                        kind),
            change([=](const Values& values, const std::vector<std::int64_t>& x, std::size_t i) {
              const std::size_t first = values.first(i);
              const std::size_t end = kind == "bit_count"        ? first + values.size(i)
                                      : kind == "inclusive_scan" ? i + 1
                                                                 : i;
              std::int64_t count = 0;
              for (std::size_t k = first; k < end; ++k)
                count += values.here[k] && (x[k] & 1);
              return x[i] ^ count;
            })};
  }

  // if (…) { … } else { … } with functions that not all need to call.
  Step branch(unsigned depth) {
    struct Condition {
      std::string text;
      std::function<bool(const Values&, std::size_t)> holds;
    };
    const unsigned number = 1 + below(lanes_), modulus = 2 + below(4);
    const Condition conditions[] = {
        {fmt::format("get_sub_group_local_id() < {}", number),
         [=](const Values& values, std::size_t i) { return values.lane(i) < number; }},
        {fmt::format("get_sub_group_local_id() % {} == 1", modulus),
         [=](const Values& values, std::size_t i) { return values.lane(i) % modulus == 1; }},
        {"(x & 1) != 0",
         [](const Values& values, std::size_t i) { return (values.x[i] & 1) != 0; }},
        {fmt::format("get_local_id(0) == {}", number),
         [=](const Values& values, std::size_t i) { return i % values.group == number; }}};
    const Condition condition = one_of(conditions);
    std::vector<Step> then, otherwise;
    for (unsigned i = 0; i <= below(2); ++i)
      then.push_back(depth > 1 && below(3) == 0 ? branch(depth - 1) : lonely());
    for (unsigned i = 0; i < below(2); ++i)
      otherwise.push_back(lonely());
    return {fmt::format("if ({}) {{\n{}}} else {{\n{}}}", condition.text, text_of(then),
                        text_of(otherwise)),
            [=](Values& values) {
              const std::vector<bool> before = values.here;
              std::vector<bool> yes = before, no = before;
              for (std::size_t i = 0; i < before.size(); ++i)
                (condition.holds(values, i) ? no : yes)[i] = false;
              values.here = yes;
              for (const Step& step : then)
                step.apply(values);
              values.here = no;
              for (const Step& step : otherwise)
                step.apply(values);
              values.here = before;
            }};
  }

  Step loop(unsigned depth) {
    const unsigned times = 1 + below(3);
    // Lanes meet at the end of the body: nothing else keeps those that have left a branch there.
    std::vector<Step> body{statement(depth - 1), statement(depth - 1),
                           folded("sub_group", {"add", "min", "max"}, lanes_)};
    return {fmt::format("for (int k = 0; k < {}; ++k) {{\n{}}}", times, text_of(body)),
            [=](Values& values) {
              for (unsigned k = 0; k < times; ++k)
                for (const Step& step : body)
                  step.apply(values);
            }};
  }

public:
  static std::string text_of(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps)
      text += step.text + "\n";
    return text;
  }

private:
  std::mt19937 random_;
  Number type_{};
  std::size_t lanes_ = 0, group_ = 0;
};

// "" or what is wrong with the kernel of a seed.
std::string wrong_of(unsigned seed) {
  StepWriter writer(seed);
  Values values = writer.begin();
  std::vector<Step> steps;
  for (unsigned i = 0; i < 4 + writer.below(5); ++i)
    steps.push_back(writer.statement(2));
  const std::string text = fmt::format("__attribute__((intel_reqd_sub_group_size({0})))\n"
                                       "kernel void k(global const long* in, global long* out) {{\n"
                                       "{1} x = ({1})in[get_global_id(0)];\n{2}"
                                       "out[get_global_id(0)] = (long)x;\n}}\n",
                                       values.lanes, values.type.name, StepWriter::text_of(steps));
  const std::vector<std::vector<std::string>> checks{{}, {"races", "barriers", "bounds"}};
  const Ran ran =
      run({.text = text,
           .global_size = values.x.size(),
           .local_size = values.group,
           .arguments = {buffer(values.x), buffer(std::vector<std::int64_t>(values.x.size()))},
           .checks = checks[seed % 2],
           .cl_std = seed % 3 ? "CL3.0" : "CL2.0"});
  for (const Step& step : steps)
    step.apply(values);
  const auto results = ran.values<std::int64_t>(1);
  const bool found = ran.findings().find("divergent_warp") != std::string::npos;
  const bool expected = values.takes_of_absent && seed % 2; // only the check says so
  if (found == expected && (found || ran.findings().empty()) && results == values.x)
    return "";
  std::string wrong =
      fmt::format("seed {}, groups of {}: {}\n", seed, values.group, ran.findings());
  for (std::size_t i = 0; i < results.size() && wrong.size() < 600; ++i)
    if (results[i] != values.x[i])
      wrong += fmt::format("item {}: {} instead of {}\n", i, results[i], values.x[i]);
  return wrong + text;
}

} // namespace

TEST_CASE("Random functions of sub-groups and work-groups give what a plain model gives") {
  for (const std::size_t seed : gputest::tests::random_seeds(8))
    CHECK(wrong_of(static_cast<unsigned>(seed)) == "");
}

#include "runtime/analyses/mutation/oracle.h"

#include "runtime/cases/comparison.h"
#include "tests/catch.h"
#include "tests/runtime/interface_builder.h"
#include "tests/temporary_folder.h"

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

using namespace gputest;
using namespace gputest::runtime;
using gputest::tests::contains;
using gputest::tests::kFloat;
using gputest::tests::kInt;

namespace {

template <class T> Bytes bytes(const std::vector<T>& values) {
  const auto span = std::as_bytes(std::span(values));
  return {span.begin(), span.end()};
}

BoundCase case_of(const model::Type& type, Bytes initial) {
  BoundCase test_case;
  LaunchArgument in, out;
  in.name = "in";
  in.kind = out.kind = LaunchArgument::Kind::Buffer;
  out.name = "out";
  in.bytes = out.bytes = std::move(initial);
  test_case.arguments = {in, out};
  test_case.types = {type, type};
  test_case.outputs = {false, true};
  return test_case;
}

} // namespace

TEST_CASE("outputs are compared with the case, the reference, or the original") {
  BoundCase test_case = case_of(kInt, bytes<int>({1, 2}));
  auto outputs = expected_outputs(test_case, {});
  REQUIRE(outputs.size() == 1);
  CHECK(outputs[0].position == 1);
  CHECK(!has_oracle(outputs));

  test_case.expected = {{1, bytes<int>({3, 4})}};
  Oracles oracles{.reference = reference_of([](const ReferenceCall& call) {
                    static_cast<int*>(call.pointer<int>("out"))[0] = 9;
                  })};
  outputs = expected_outputs(test_case, oracles);
  REQUIRE(outputs.size() == 1);
  REQUIRE(outputs[0].right.size() == 2);
  CHECK(outputs[0].right[0].bytes == bytes<int>({3, 4}));
  CHECK(outputs[0].right[1].bytes == bytes<int>({9, 2}));
  CHECK(has_oracle(outputs));
  CHECK(contains(judge(outputs[0], test_case, bytes<int>({3, 4})), "the reference function"));
  CHECK(contains(judge(outputs[0], test_case, bytes<int>({9, 2})), "the test case"));
}

TEST_CASE("what the original left is right without a closer look") {
  BoundCase test_case = case_of(kInt, bytes<int>({1}));
  ExpectedOutput output{1, {{bytes<int>({5}), "the test case"}}, {}};
  CHECK(!judge(output, test_case, bytes<int>({6})).empty());
  CHECK(add_original(output, bytes<int>({6})));
  CHECK(judge(output, test_case, bytes<int>({6})).empty());
}

TEST_CASE("runs of the original are told apart") {
  ExpectedOutput output;
  CHECK(add_original(output, bytes<int>({1})));
  CHECK(add_original(output, bytes<int>({1})));
  CHECK(!add_original(output, bytes<int>({2})));
  CHECK(output.originals.size() == 2);
}

TEST_CASE("without an oracle, the original's spread is accepted, with the tolerance around it") {
  BoundCase test_case = case_of(kFloat, bytes<float>({0, 0}));
  test_case.tolerance.absolute = 0.5;
  ExpectedOutput output{1, {}, {bytes<float>({1, 10}), bytes<float>({3, 10})}};
  const auto passes = [&](std::vector<float> values) {
    return judge(output, test_case, bytes(values)).empty();
  };
  CHECK(passes({2, 10}));
  CHECK(passes({0.5f, 10.5f}));
  CHECK(passes({3.5f, 9.5f}));
  CHECK(!passes({0.4f, 10}));
  CHECK(!passes({3.6f, 10}));
  CHECK(!passes({2, 11}));
  CHECK(!passes({NAN, 10}));
  CHECK(contains(judge(output, test_case, bytes<float>({9, 10})), "out[0]: expected 1, got 9"));
}

TEST_CASE("a spread of integers is exact, of 64 bits too") {
  const auto big = std::uint64_t{1} << 63;
  const model::Type type = model::scalar_type(model::Scalar::ULong);
  const std::vector<Bytes> expected{bytes<std::uint64_t>({big}), bytes<std::uint64_t>({big + 4})};
  const auto passes = [&](std::uint64_t value) {
    return compare(type, expected, bytes<std::uint64_t>({value}), {}).equal();
  };
  CHECK(passes(big + 2));
  CHECK(!passes(big - 1));
  CHECK(!passes(big + 5));
  const std::vector<Bytes> negative{bytes<int>({-3}), bytes<int>({2})};
  CHECK(compare(kInt, negative, bytes<int>({-1}), {}).equal());
  CHECK(!compare(kInt, negative, bytes<int>({3}), {}).equal());
}

TEST_CASE("whatever the author's functions throw, they are named") {
  const BoundCase test_case = case_of(kInt, bytes<int>({1, 2}));
  struct Row {
    std::function<void()> throws;
    std::string said;
  };
  for (const Row& row :
       {Row{[] { throw std::runtime_error("too small"); }, "too small"},
        Row{[] { throw UsageError("not so"); }, "not so"},
        Row{[] { throw KernelError("of another launch"); }, "of another launch"},
        Row{[] { throw std::string("a text"); }, "a text"}, Row{[] { throw "words"; }, "words"},
        Row{[] { throw std::runtime_error(""); }, "an exception without a text"},
        Row{[] { throw 7; }, "an exception that is no std::exception"}}) {
    INFO(row.said);
    const Reference reference = reference_of([&](const ReferenceCall&) { row.throws(); });
    std::string error;
    try {
      compare_with_reference(reference, test_case, test_case);
    } catch (const OracleError& thrown) {
      error = thrown.what();
    }
    CHECK(error == "the reference function threw: " + row.said);
    CHECK(wrong_with([&](const PropertyCall&) { row.throws(); }, test_case, test_case) ==
          "the property does not hold: " + row.said);
    CHECK_THROWS_AS(expected_outputs(test_case, {.reference = reference}), OracleError);
  }
}

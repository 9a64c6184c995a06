#include "program/read_baseline.h"

#include "tests/catch.h"

#include <nlohmann/json.hpp>

using gputest::program::ReadBaseline;
using Reads = std::vector<std::vector<std::uint64_t>>;

TEST_CASE("What differs from all runs is told; what varies by itself is not compared") {
  ReadBaseline baseline;
  baseline.add(Reads{{1, 2, 3}});
  CHECK(baseline.difference(Reads{{1, 5, 3}}) == "the 2nd of 3 pieces that it reads back differs");
  CHECK(baseline.difference(Reads{{1, 2}}) == "it reads back 2 pieces instead of 3");
  CHECK(baseline.difference(Reads{{1, 2, 3}, {4}}) == "2 processes use OpenCL instead of 1");
  baseline.add(Reads{{1, 7, 3}});
  CHECK(baseline.difference(Reads{{1, 5, 3}}).empty());
  CHECK(baseline.difference(Reads{{1, 5, 4}}) == "the 3rd of 3 pieces that it reads back differs");
  CHECK((baseline.count() == 3 && baseline.varying() == 1));
}

TEST_CASE("Processes may begin in any order") {
  ReadBaseline baseline;
  baseline.add(Reads{{1, 2}, {3}});
  baseline.add(Reads{{3}, {1, 2}});
  CHECK(baseline.varying() == 0);
  CHECK(baseline.difference(Reads{{3}, {1, 2}}).empty());
  CHECK(baseline.difference(Reads{{3}, {3}}) ==
        "the 1st of 2 pieces that process 1 reads back differs");
}

TEST_CASE("A baseline is the same from its file") {
  ReadBaseline baseline;
  baseline.add(Reads{{1, ~std::uint64_t{0}}, {3}});
  baseline.add(Reads{{2, ~std::uint64_t{0}}, {3, 4}});
  const auto json = nlohmann::ordered_json::parse(baseline.to_json().dump());
  const ReadBaseline read = ReadBaseline::from_json(json);
  CHECK((read.count() == 3 && read.varying() == 1));
  CHECK(read.difference(Reads{{9, ~std::uint64_t{0}}, {3, 4, 5}}).empty());
  CHECK(read.difference(Reads{{9, 8}, {3}}) ==
        "the 2nd of 2 pieces that process 1 reads back differs");
  CHECK_THROWS(ReadBaseline::from_json(nlohmann::ordered_json::object()));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/baseline.h"

#include "gputest/error.h"
#include "model/json.h"
#include "runtime/cases/values.h"
#include "runtime/variants/mutation_state.h"
#include "store/store.h"

#include <algorithm>
#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

namespace gputest::runtime {
namespace {

Json binary(const Bytes& bytes) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return Json::binary({first, first + bytes.size()});
}

Bytes bytes_of(const Json& json) {
  const auto& binary = json.get_binary();
  const auto* first = reinterpret_cast<const std::byte*>(binary.data());
  return {first, first + binary.size()};
}

// Bytes, which are no text.
struct OriginalsField {
  void write(Json& json, const ExpectedOutput& output) const {
    json["originals"] = Json::array();
    for (const Bytes& bytes : output.originals)
      json["originals"].push_back(binary(bytes));
  }
  void read(const Json& json, ExpectedOutput& output) const {
    for (const Json& bytes : json.at("originals"))
      output.originals.push_back(bytes_of(bytes));
  }
};

} // namespace

using model::field, model::from_json, model::to_json;

static void to_json(Json& json, const ExpectedOutput::Right& right) {
  json = {{"oracle", right.oracle}, {"bytes", binary(right.bytes)}};
}
static void from_json(const Json& json, ExpectedOutput::Right& right) {
  right = {bytes_of(json.at("bytes")), json.at("oracle").get<std::string>()};
}
static constexpr auto fields_of(const ExpectedOutput*) {
  using T = ExpectedOutput;
  return std::tuple{field("position", &T::position), field("right", &T::right), OriginalsField()};
}
static constexpr auto fields_of(const CaseBaseline*) {
  using T = CaseBaseline;
  return std::tuple{field("content", &T::content),
                    field("problem", &T::problem),
                    field("deterministic", &T::deterministic),
                    field("reached", &T::reached),
                    field("harm", &T::harm),
                    field("iterations", &T::iterations),
                    field("seconds", &T::seconds),
                    field("first_seconds", &T::first_seconds),
                    field("outputs", &T::outputs)};
}

double time_limit(const CaseBaseline& baseline, double factor, unsigned runs, bool compiles,
                  std::uint64_t work) {
  return std::max(kShortestLimit, factor * runs * baseline.seconds * static_cast<double>(work)) +
         (compiles ? factor * baseline.first_seconds : 0);
}

std::string content_of(const BoundCase& test_case, const std::vector<ExpectedOutput>& outputs,
                       const std::string& program) {
  const Launch& launch = test_case.launch;
  const Tolerance& tolerance = test_case.tolerance;
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(); };
  std::string bytes;
  const auto add = [&](const Bytes& more) {
    bytes.append(reinterpret_cast<const char*>(more.data()), more.size());
    return more.size();
  };
  Json json{{"global", launch.global_size},
            {"local", launch.local_size},
            {"offset", launch.global_offset},
            {"dimensions", launch.dimensions},
            {"tolerance",
             {or_null(tolerance.absolute), or_null(tolerance.relative), or_null(tolerance.ulp)}}};
  if (launch.shared_memory != 0)
    json["shared_memory"] = launch.shared_memory;
  if (launch.lock_step != 0)
    json["lock_step"] = launch.lock_step;
  if (!program.empty())
    json["program"] = program;
  for (const LaunchArgument& argument : test_case.arguments) {
    Json entry{{"kind", static_cast<int>(argument.kind)},
               {"bytes", add(argument.bytes)},
               {"local", argument.local_size}};
    if (argument.image)
      entry["image"] = {argument.image->type,
                        argument.image->format.image_channel_order,
                        argument.image->format.image_channel_data_type,
                        argument.image->width,
                        argument.image->height,
                        argument.image->depth};
    if (argument.kind == LaunchArgument::Kind::Sampler)
      entry["sampler"] = {argument.sampler.addressing_mode, argument.sampler.filter_mode,
                          argument.sampler.normalized_coordinates};
    json["arguments"].push_back(std::move(entry));
  }
  for (const ExpectedOutput& output : outputs) {
    json["outputs"].push_back(output.position);
    for (const ExpectedOutput::Right& right : output.right)
      json["right"].push_back({output.position, add(right.bytes)});
  }
  return store::content_hash(json.dump() + bytes);
}

void BaselineMemory::save(std::span<const CaseBaseline> cases) const {
  const Json json = std::vector<CaseBaseline>(cases.begin(), cases.end());
  const std::vector<std::uint8_t> bytes = Json::to_cbor(json);
  file_.write_at(0, std::as_bytes(std::span(bytes)));
}

std::vector<CaseBaseline> BaselineMemory::load() const {
  return Json::from_cbor(file_.text()).get<std::vector<CaseBaseline>>();
}

} // namespace gputest::runtime

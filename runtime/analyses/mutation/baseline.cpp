// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/baseline.h"

#include "gputest/error.h"
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

Json to_json(const ExpectedOutput& output) {
  Json right = Json::array(), originals = Json::array();
  for (const ExpectedOutput::Right& one : output.right)
    right.push_back({{"oracle", one.oracle}, {"bytes", binary(one.bytes)}});
  for (const Bytes& bytes : output.originals)
    originals.push_back(binary(bytes));
  return {{"position", output.position}, {"right", right}, {"originals", originals}};
}

ExpectedOutput output_from_json(const Json& json) {
  ExpectedOutput output;
  output.position = json.at("position").get<std::size_t>();
  for (const Json& one : json.at("right"))
    output.right.push_back({bytes_of(one.at("bytes")), one.at("oracle").get<std::string>()});
  for (const Json& bytes : json.at("originals"))
    output.originals.push_back(bytes_of(bytes));
  return output;
}

Json to_json(const CaseBaseline& baseline) {
  Json outputs = Json::array();
  for (const ExpectedOutput& output : baseline.outputs)
    outputs.push_back(to_json(output));
  return {{"content", baseline.content},
          {"problem", baseline.problem},
          {"deterministic", baseline.deterministic},
          {"reached", baseline.reached},
          {"harm", baseline.harm},
          {"iterations", baseline.iterations},
          {"seconds", baseline.seconds},
          {"first_seconds", baseline.first_seconds},
          {"outputs", outputs}};
}

CaseBaseline baseline_from_json(const Json& json) {
  CaseBaseline baseline{.content = json.at("content").get<std::string>(),
                        .problem = json.at("problem").get<std::string>(),
                        .wrong = {},
                        .deterministic = json.at("deterministic").get<bool>(),
                        .reached = json.at("reached").get<std::vector<std::uint32_t>>(),
                        .harm = json.at("harm").get<std::vector<std::uint32_t>>(),
                        .iterations = json.at("iterations").get<std::uint32_t>(),
                        .seconds = json.at("seconds").get<double>(),
                        .first_seconds = json.at("first_seconds").get<double>(),
                        .outputs = {}};
  for (const Json& output : json.at("outputs"))
    baseline.outputs.push_back(output_from_json(output));
  return baseline;
}

} // namespace

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
  Json json = Json::array();
  for (const CaseBaseline& baseline : cases)
    json.push_back(to_json(baseline));
  const std::vector<std::uint8_t> bytes = Json::to_cbor(json);
  file_.write_at(0, std::as_bytes(std::span(bytes)));
}

std::vector<CaseBaseline> BaselineMemory::load() const {
  const std::string bytes = file_.text();
  std::vector<CaseBaseline> cases;
  for (const Json& json : Json::from_cbor(bytes))
    cases.push_back(baseline_from_json(json));
  return cases;
}

} // namespace gputest::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/files.h"
#include "report/comparison/result.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::report {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::optional<ComparedNumber>& number) {
  if (!number)
    return nullptr;
  const auto finite = [](double value) -> Json {
    return std::isfinite(value) ? Json(value) : Json("inf");
  };
  return {{"place", number->place},
          {"first", number->first},
          {"second", number->second},
          {"ulp", finite(number->ulp)},
          {"relative", finite(number->relative)}};
}

Json to_json(const ComparedKernel& kernel) {
  return {{"source", kernel.source}, {"kernel", kernel.kernel}};
}

} // namespace

const char* verdict_of(const ComparisonResult& result) {
  return result.difference ? "differs"
         : result.proved   ? "equal"
         : result.enough   ? "no difference found"
                           : "not enough compared";
}

std::string number_text(const ComparedNumber& number) {
  return fmt::format("{:.0f} ulp, {:.2g} relative, in {}: {} and {}", number.ulp, number.relative,
                     number.place, number.first, number.second);
}

std::string comparison_json(const ComparisonResult& result) {
  Json left_out = Json::object(), cycles = Json::array();
  for (const auto& [reason, count] : result.left_out)
    left_out[reason] = count;
  for (const ComparedCycles& one : result.cycles)
    cycles.push_back({{"input", one.input}, {"first", one.first}, {"second", one.second}});
  Json json{{"format", "gputest-kernel-comparison-1"},
            {"first", to_json(result.first)},
            {"second", to_json(result.second)},
            {"verdict", verdict_of(result)},
            {"not_proved", result.not_proved},
            {"inputs", result.inputs},
            {"left_out", std::move(left_out)},
            {"outcomes", result.goals},
            {"reached", result.reached},
            {"mutants", result.mutants},
            {"killed", result.killed},
            {"asked", result.asked},
            {"excluded", result.excluded},
            {"largest_ulp", to_json(result.largest_ulp)},
            {"largest_relative", to_json(result.largest_relative)},
            {"gpu", result.gpu},
            {"cycles", std::move(cycles)},
            {"seconds", result.seconds},
            {"notes", result.notes}};
  if (const auto& difference = result.difference)
    json["difference"] = {
        {"kind", difference->kind}, {"message", difference->message}, {"case", difference->file}};
  return model::pretty(json, 2);
}

} // namespace gputest::report

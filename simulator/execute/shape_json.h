// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts a KernelShape to and from JSON, for the cache.
#pragma once

#include "ir/kernel.h"

#include <nlohmann/json.hpp>

namespace gputest::simulator {

nlohmann::json to_json(const KernelShape& shape);
KernelShape shape_from_json(const nlohmann::json& json); // throws nlohmann::json::exception

} // namespace gputest::simulator

// Pieces of JSON that sites.json, coverage.json, mutants.json and other files share. Internal to
// model/.
#pragma once

#include "model/json.h"
#include "model/mutation/mutants.h"

namespace gputest::model {

Json position_to_json(const Site& site); // everything except the outcomes
Site position_from_json(const Json& json);
Json to_json(const NotInstrumented& entry);
NotInstrumented not_instrumented_from_json(const Json& json);
// Adds the key `not_counted` unless there is nothing to add.
void add_not_counted(Json& json, const std::vector<NotCounted>& entries);
std::vector<NotCounted> not_counted_from_json(const Json& json);
Json to_json(const Vote& vote);
Vote vote_from_json(const Json& json);
Json to_json(const DeviceMacro& macro);
DeviceMacro device_macro_from_json(const Json& json);
Json to_json(const Guard& guard);
Guard guard_from_json(const Json& json);

} // namespace gputest::model

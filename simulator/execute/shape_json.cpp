// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/shape_json.h"

#include "simulator/parallel/kind_from_json.h"

#include <llvm/ADT/StringExtras.h>

namespace gputest::simulator {
namespace {

using Json = nlohmann::json;

// Members that are written unchanged, by name.
template <typename Shape, typename Take> void each_plain(Shape& shape, Take take) {
  take("name", shape.name);
  take("arguments_size", shape.arguments_size);
  take("required_size", shape.required_size);
  take("copies", shape.copies);
  take("has_barriers", shape.has_barriers);
  take("warps", shape.warps);
  take("warp_size", shape.warp_size);
  take("collectives", shape.collectives);
  take("grid", shape.grid);
  take("in_turns", shape.in_turns);
  take("by_itself", shape.by_itself);
  take("frame_size", shape.frame_size);
  take("uninitialized", shape.uninitialized);
  take("races", shape.races);
  take("grain", shape.grain);
  take("pixels", shape.pixels);
  take("atomics", shape.atomics);
  take("of_block", shape.of_block);
  take("asyncs", shape.asyncs);
  take("syncs", shape.syncs);
  take("lock_step", shape.lock_step);
  take("site_bits", shape.site_bits);
}

} // namespace

Json to_json(const KernelShape& shape) {
  Json parameters = Json::array(), sites = Json::array(), objects = Json::array(),
       messages = Json::array();
  for (const Parameter& parameter : shape.parameters)
    parameters.push_back({parameter.name, parameter.type, static_cast<int>(parameter.kind),
                          parameter.offset, parameter.size, parameter.constant});
  for (const model::CodePlace& site : shape.sites)
    sites.push_back({site.file, site.line, site.column});
  for (const Object& object : shape.objects)
    objects.push_back({object.name, static_cast<int>(object.kind), object.parameter, object.size,
                       llvm::toHex(object.initial), object.bytes});
  for (const CheckMessage& message : shape.messages)
    messages.push_back({message.kind, message.text, message.cause});
  Json json{{"place", {shape.place.file, shape.place.line}},
            {"parameters", parameters},
            {"sites", sites},
            {"objects", objects},
            {"messages", messages},
            {"language", model::row_of(shape.language).word}};
  each_plain(shape, [&](const char* key, const auto& value) { json[key] = value; });
  return json;
}

KernelShape shape_from_json(const Json& json) {
  KernelShape shape;
  each_plain(shape, [&](const char* key, auto& value) { json.at(key).get_to(value); });
  shape.place = {json.at("place").at(0).get<std::string>(), json.at("place").at(1).get<unsigned>(),
                 1};
  for (const Json& parameter : json.at("parameters"))
    shape.parameters.push_back({parameter.at(0).get<std::string>(),
                                parameter.at(1).get<std::string>(),
                                kind_from_json(parameter.at(2), Parameter::Kind::Sampler),
                                parameter.at(3).get<std::size_t>(),
                                parameter.at(4).get<std::size_t>(), parameter.at(5).get<bool>()});
  for (const Json& site : json.at("sites"))
    shape.sites.push_back(
        {site.at(0).get<std::string>(), site.at(1).get<unsigned>(), site.at(2).get<unsigned>()});
  for (const Json& object : json.at("objects"))
    shape.objects.push_back(
        {object.at(0).get<std::string>(), kind_from_json(object.at(1), Object::Kind::Constant),
         object.at(2).get<unsigned>(), object.at(3).get<std::size_t>(),
         llvm::fromHex(object.at(4).get<std::string>()), object.at(5).get<std::string>()});
  for (const Json& message : json.at("messages"))
    shape.messages.push_back({message.at(0).get<std::string>(), message.at(1).get<std::string>(),
                              message.at(2).get<std::string>()});
  if (const auto language = model::language_with(json.at("language").get<std::string>()))
    shape.language = *language;
  return shape;
}

} // namespace gputest::simulator

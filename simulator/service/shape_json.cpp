#include "simulator/service/shape_json.h"

#include <llvm/ADT/StringExtras.h>

namespace gputest::simulator {
namespace {

using Json = nlohmann::json;

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
                       llvm::toHex(object.initial)});
  for (const CheckMessage& message : shape.messages)
    messages.push_back({message.kind, message.text});
  return {{"name", shape.name},
          {"place", {shape.place.file, shape.place.line}},
          {"parameters", parameters},
          {"arguments_size", shape.arguments_size},
          {"required_size", shape.required_size},
          {"sites", sites},
          {"objects", objects},
          {"messages", messages},
          {"copies", shape.copies},
          {"has_barriers", shape.has_barriers},
          {"warps", shape.warps},
          {"grid", shape.grid},
          {"in_turns", shape.in_turns},
          {"cuda", shape.language == Language::Cuda},
          {"by_itself", shape.by_itself},
          {"frame_size", shape.frame_size},
          {"uninitialized", shape.uninitialized},
          {"races", shape.races},
          {"grain", shape.grain},
          {"pixels", shape.pixels},
          {"atomics", shape.atomics},
          {"syncs", shape.syncs},
          {"site_bits", shape.site_bits}};
}

KernelShape shape_from_json(const Json& json) {
  KernelShape shape;
  json.at("name").get_to(shape.name);
  shape.place = {json.at("place").at(0).get<std::string>(), json.at("place").at(1).get<unsigned>(),
                 1};
  for (const Json& parameter : json.at("parameters"))
    shape.parameters.push_back({parameter.at(0).get<std::string>(),
                                parameter.at(1).get<std::string>(),
                                static_cast<Parameter::Kind>(parameter.at(2).get<int>()),
                                parameter.at(3).get<std::size_t>(),
                                parameter.at(4).get<std::size_t>(), parameter.at(5).get<bool>()});
  json.at("arguments_size").get_to(shape.arguments_size);
  json.at("required_size").get_to(shape.required_size);
  for (const Json& site : json.at("sites"))
    shape.sites.push_back(
        {site.at(0).get<std::string>(), site.at(1).get<unsigned>(), site.at(2).get<unsigned>()});
  for (const Json& object : json.at("objects"))
    shape.objects.push_back({object.at(0).get<std::string>(),
                             static_cast<Object::Kind>(object.at(1).get<int>()),
                             object.at(2).get<unsigned>(), object.at(3).get<std::size_t>(),
                             llvm::fromHex(object.at(4).get<std::string>())});
  for (const Json& message : json.at("messages"))
    shape.messages.push_back({message.at(0).get<std::string>(), message.at(1).get<std::string>()});
  json.at("copies").get_to(shape.copies);
  json.at("has_barriers").get_to(shape.has_barriers);
  json.at("warps").get_to(shape.warps);
  json.at("grid").get_to(shape.grid);
  json.at("in_turns").get_to(shape.in_turns);
  shape.language = json.at("cuda").get<bool>() ? Language::Cuda : Language::OpenCL;
  json.at("by_itself").get_to(shape.by_itself);
  json.at("frame_size").get_to(shape.frame_size);
  json.at("uninitialized").get_to(shape.uninitialized);
  json.at("races").get_to(shape.races);
  json.at("grain").get_to(shape.grain);
  json.at("pixels").get_to(shape.pixels);
  json.at("atomics").get_to(shape.atomics);
  json.at("syncs").get_to(shape.syncs);
  json.at("site_bits").get_to(shape.site_bits);
  return shape;
}

} // namespace gputest::simulator

#include "simulator/shape_json.h"

namespace gputest::simulator {

using Json = nlohmann::json;

Json to_json(const KernelShape& shape) {
  Json parameters = Json::array(), sites = Json::array(), variables = Json::array();
  for (const Parameter& parameter : shape.parameters)
    parameters.push_back({parameter.name, parameter.type, static_cast<int>(parameter.kind),
                          parameter.offset, parameter.size});
  for (const Site& site : shape.sites)
    sites.push_back({site.file, site.line, site.column});
  for (const LocalVariable& variable : shape.local_variables)
    variables.push_back({variable.name, variable.offset, variable.size});
  return {{"name", shape.name},
          {"parameters", parameters},
          {"arguments_size", shape.arguments_size},
          {"required_size", shape.required_size},
          {"sites", sites},
          {"local_variables", variables},
          {"local_size", shape.local_size},
          {"has_barriers", shape.has_barriers},
          {"frame_size", shape.frame_size},
          {"private_size", shape.private_size}};
}

KernelShape shape_from_json(const Json& json) {
  KernelShape shape;
  json.at("name").get_to(shape.name);
  for (const Json& parameter : json.at("parameters"))
    shape.parameters.push_back(
        {parameter.at(0).get<std::string>(), parameter.at(1).get<std::string>(),
         static_cast<Parameter::Kind>(parameter.at(2).get<int>()),
         parameter.at(3).get<std::size_t>(), parameter.at(4).get<std::size_t>()});
  json.at("arguments_size").get_to(shape.arguments_size);
  json.at("required_size").get_to(shape.required_size);
  for (const Json& site : json.at("sites"))
    shape.sites.push_back(
        {site.at(0).get<std::string>(), site.at(1).get<unsigned>(), site.at(2).get<unsigned>()});
  for (const Json& variable : json.at("local_variables"))
    shape.local_variables.push_back({variable.at(0).get<std::string>(),
                                     variable.at(1).get<std::size_t>(),
                                     variable.at(2).get<std::size_t>()});
  json.at("local_size").get_to(shape.local_size);
  json.at("has_barriers").get_to(shape.has_barriers);
  json.at("frame_size").get_to(shape.frame_size);
  json.at("private_size").get_to(shape.private_size);
  return shape;
}

} // namespace gputest::simulator

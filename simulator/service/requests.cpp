#include "simulator/service/requests.h"

#include "ir/error.h"
#include "model/interface.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::simulator {
namespace {

using Json = nlohmann::json;

Parameter::Kind kind_named(const std::string& name) {
  if (name == "buffer")
    return Parameter::Kind::Buffer;
  if (name == "local")
    return Parameter::Kind::Local;
  if (name == "image")
    return Parameter::Kind::Image;
  if (name == "sampler")
    return Parameter::Kind::Sampler;
  return Parameter::Kind::Value;
}

BufferAccess access_named(const std::string& name) {
  if (name == "read_only")
    return BufferAccess::ReadOnly;
  return name == "write_only" ? BufferAccess::WriteOnly : BufferAccess::ReadWrite;
}

ArgumentData argument_of(const Json& json) {
  ArgumentData argument;
  argument.kind = kind_named(json.at("kind").get<std::string>());
  argument.name = json.value("name", "");
  argument.offset = json.value("offset", std::size_t{0});
  argument.size = json.value("size", std::size_t{0});
  argument.null = json.value("null", false);
  argument.output = json.value("output", false);
  argument.access = access_named(json.value("access", "read_write"));
  if (argument.kind == Parameter::Kind::Image)
    argument.image = {.pixels = nullptr,
                      .type = json.at("type").get<std::uint32_t>(),
                      .width = json.at("width").get<std::uint32_t>(),
                      .height = json.at("height").get<std::uint32_t>(),
                      .depth = json.at("depth").get<std::uint32_t>(),
                      .channel_order = json.at("channel_order").get<std::uint32_t>(),
                      .channel_type = json.at("channel_type").get<std::uint32_t>()};
  if (argument.kind == Parameter::Kind::Sampler)
    argument.sampler =
        sampler_bits(json.at("normalized").get<bool>(), json.at("addressing").get<std::uint32_t>(),
                     json.at("filter").get<std::uint32_t>());
  return argument;
}

// The launch checks whether a list fits.
model::Order order_of(const Json& json, const char* key) {
  if (!json.contains("order") || !json["order"].contains(key))
    return {};
  const Json& order = json["order"][key];
  try {
    return model::order_from_json(order, order.value("permutation", Json::array()).size());
  } catch (const model::FormatError& error) {
    throw InputError(fmt::format("order of {}: {}", key, error.what()));
  }
}

} // namespace

LaunchRequest launch_request(const Json& json) {
  LaunchRequest request;
  request.dimensions = json.at("dimensions").get<unsigned>();
  json.at("global_size").get_to(request.global_size);
  json.at("local_size").get_to(request.local_size);
  json.at("global_offset").get_to(request.global_offset);
  for (const Json& argument : json.at("arguments"))
    request.arguments.push_back(argument_of(argument));
  request.order = {order_of(json, "groups"), order_of(json, "items")};
  request.shared_bytes = json.value("shared_bytes", std::size_t{0});
  request.limit = json.value("limit", 0.0);
  request.trial = json.value("trial", false);
  request.local_fill = json.value("local_fill", std::uint8_t{0});
  return request;
}

} // namespace gputest::simulator

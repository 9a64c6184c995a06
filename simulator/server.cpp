#include "simulator/server.h"

#include "simulator/error.h"
#include "simulator/guard.h"
#include "simulator/launch.h"
#include "simulator/messages.h"
#include "simulator/program.h"

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

Order::Kind order_named(const std::string& name) {
  if (name == "descending")
    return Order::Kind::Descending;
  if (name == "random")
    return Order::Kind::Random;
  if (name == "ascending")
    return Order::Kind::Ascending;
  throw InputError(
      fmt::format("order '{}' is not known; there are: ascending, descending, random", name));
}

ArgumentData argument_of(const Json& json) {
  ArgumentData argument;
  argument.kind = kind_named(json.at("kind").get<std::string>());
  argument.name = json.value("name", "");
  argument.offset = json.value("offset", std::size_t{0});
  argument.size = json.value("size", std::size_t{0});
  argument.null = json.value("null", false);
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

LaunchRequest launch_request(const Json& json) {
  LaunchRequest request;
  request.dimensions = json.at("dimensions").get<unsigned>();
  json.at("global_size").get_to(request.global_size);
  json.at("local_size").get_to(request.local_size);
  json.at("global_offset").get_to(request.global_offset);
  for (const Json& argument : json.at("arguments"))
    request.arguments.push_back(argument_of(argument));
  if (json.contains("order")) {
    const Json& order = json["order"];
    request.order = {order_named(order.value("groups", "ascending")),
                     order_named(order.value("items", "ascending")),
                     order.value("seed", std::uint64_t{1})};
  }
  request.limit = json.value("limit", 0.0);
  return request;
}

Json to_json(const Finding& finding) {
  return {{"kind", finding.kind},
          {"file", finding.site.file},
          {"line", finding.site.line},
          {"column", finding.site.column},
          {"message", finding.message},
          {"count", finding.count},
          {"other_file", finding.other.file},
          {"other_line", finding.other.line},
          {"other_column", finding.other.column}};
}

class Session {
public:
  explicit Session(int memory) : cache_(cache_folder()), memory_(memory) {}

  Json answer(const Json& request) {
    const auto what = request.at("do").get<std::string>();
    if (what == "build")
      return build(request);
    if (what == "launch")
      return launch_kernel(request);
    throw SimulatorFailure(fmt::format("unknown request '{}'", what));
  }

private:
  Json build(const Json& request) {
    Source source;
    request.at("name").get_to(source.name);
    request.at("text").get_to(source.text);
    request.at("definitions").get_to(source.definitions);
    request.at("include_directories").get_to(source.include_directories);
    request.at("options").get_to(source.options);
    request.at("cl_std").get_to(source.cl_std);
    programs_.emplace_back(source, cache_);
    programs_.back().kernel({.kernel = request.at("kernel").get<std::string>()});
    return {{"program", programs_.size() - 1}};
  }

  Json launch_kernel(const Json& request) {
    Program& program = programs_.at(request.at("program").get<std::size_t>());
    const LaunchRequest what = launch_request(request);
    const Program::Ready& ready = program.kernel(
        {.kernel = request.at("kernel").get<std::string>(),
         .ordered = !what.order.items_ascend(),
         .checks = checks_named(request.value("checks", std::vector<std::string>())),
         .wide = what.local_size[0] * what.local_size[1] * what.local_size[2] > kNarrowItems});
    const LaunchResult result = launch(ready.code, ready.shape, what, memory_);
    Json findings = Json::array();
    for (const Finding& finding : result.findings)
      findings.push_back(to_json(finding));
    return {{"seconds", result.seconds},
            {"output", result.output},
            {"findings", findings},
            {"fatal", result.fatal}};
  }

  Cache cache_;
  std::vector<Program> programs_;
  int memory_;
};

Json guarded_answer(Session& session, const Json& request) {
  const auto error = [](const char* kind, const std::exception& exception) {
    return Json{{"error", kind}, {"message", exception.what()}};
  };
  try {
    return session.answer(request);
  } catch (const InputError& exception) {
    return error("input", exception);
  } catch (const SourceError& exception) {
    return error("source", exception);
  } catch (const std::exception& exception) {
    return error("failure", exception);
  }
}

} // namespace

int serve(int socket, int memory) {
  int exit_code = 0;
  on_large_stack([&] {
    Session session(memory);
    try {
      while (const std::optional<std::string> text = receive(socket)) {
        const Json reply = guarded_answer(session, Json::parse(*text));
        send(socket, reply.dump(-1, ' ', false, Json::error_handler_t::replace));
        if (reply.value("fatal", false))
          return;
      }
    } catch (const std::exception&) { // half a message, or none at all: nobody is there to tell
      exit_code = 3;
    }
  });
  return exit_code;
}

} // namespace gputest::simulator

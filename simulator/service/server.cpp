#include "simulator/service/server.h"

#include "ir/error.h"
#include "simulator/cuda/file_kernel.h"
#include "simulator/execute/guard.h"
#include "simulator/execute/program.h"
#include "simulator/explore/interleaved.h"
#include "simulator/service/messages.h"
#include "simulator/service/requests.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::simulator {
namespace {

using Json = nlohmann::json;

Json to_json(const std::vector<Finding>& findings) {
  Json json = Json::array();
  for (const Finding& finding : findings)
    json.push_back(Json(model::to_json(finding)));
  return json;
}

const char* name_of(Exploration::End end) {
  switch (end) {
  case Exploration::End::Exhausted:
    return "exhausted";
  case Exploration::End::Interleavings:
    return "interleavings";
  case Exploration::End::Seconds:
    return "seconds";
  case Exploration::End::Visits:
    return "accesses";
  }
  return "";
}

Json to_json(const LaunchResult& result) {
  return {{"seconds", result.seconds},
          {"output", result.output},
          {"findings", to_json(result.findings)},
          {"fatal", result.fatal}};
}

// Exactly one is set.
struct Built {
  std::unique_ptr<Program> program;
  std::unique_ptr<cuda::FileKernel> cuda;
};

class HarnessSession {
public:
  explicit HarnessSession(int memory) : cache_(cache_folder()), memory_(memory) {}

  Json answer(const Json& request) {
    const auto what = request.at("do").get<std::string>();
    if (what == "build")
      return build(request);
    if (what == "launch")
      return request.contains("turns") ? launch_one(request) : launch_kernel(request);
    if (what == "explore")
      return explore(request);
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
    const auto kernel = request.at("kernel").get<std::string>();
    Built built;
    if (request.value("language", "") == "cuda") {
      if (!device_)
        device_ = std::make_unique<cuda::OwnDevice>();
      built.cuda = std::make_unique<cuda::FileKernel>(source, kernel, cache_, *device_);
    } else {
      built.program = std::make_unique<Program>(source, cache_);
    }
    const KernelShape& shape =
        built.cuda ? built.cuda->shape() : built.program->kernel({.kernel = kernel}).shape;
    Json parameters = Json::array();
    for (const Parameter& parameter : shape.parameters)
      parameters.push_back({{"name", parameter.name},
                            {"pointer", parameter.kind == Parameter::Kind::Buffer},
                            {"size", parameter.size}});
    built_.push_back(std::move(built));
    return {{"program", built_.size() - 1}, {"parameters", parameters}};
  }

  const Built& built(const Json& request) const {
    return built_.at(request.at("program").get<std::size_t>());
  }

  Json launch_kernel(const Json& request) {
    const LaunchRequest what = launch_request(request);
    const auto checks = request.value("checks", std::vector<std::string>());
    if (const auto& kernel = built(request).cuda)
      return to_json(kernel->launch(what, checks, memory_));
    Program& program = *built(request).program;
    const Program::Ready& ready = program.kernel({.kernel = request.at("kernel").get<std::string>(),
                                                  .ordered = !what.order.items_ascend(),
                                                  .checks = checks_named(checks)});
    return to_json(launch(ready.code, ready.shape, what, memory_, program.variables()));
  }

  static const Program::Ready& interleaved(Program& program, const Json& request) {
    return program.kernel({.kernel = request.at("kernel").get<std::string>(), .interleaved = true});
  }

  Json launch_one(const Json& request) {
    const LaunchRequest what = launch_request(request);
    const std::vector<model::Turn> turns = model::turns_from_json(request.at("turns"));
    if (const auto& kernel = built(request).cuda)
      return to_json(kernel->launch_turns(what, turns, memory_));
    const Program::Ready& ready = interleaved(*built(request).program, request);
    return to_json(launch_turns(ready.code, ready.shape, what, turns, memory_));
  }

  ExploredLaunch explored(const Json& request, const ExplorationBounds& bounds) {
    const LaunchRequest what = launch_request(request);
    if (const auto& kernel = built(request).cuda)
      return kernel->explore(what, bounds, memory_);
    const Program::Ready& ready = interleaved(*built(request).program, request);
    return explore_launch(ready.code, ready.shape, what, bounds, memory_);
  }

  Json explore(const Json& request) {
    const Json& given = request.at("bounds");
    const ExploredLaunch explored =
        this->explored(request, {.interleavings = given.at("interleavings"),
                                 .seconds = given.at("seconds"),
                                 .more = given.at("more")});
    Json reply{{"too_large", explored.too_large},   {"end", name_of(explored.end)},
               {"stopped_at", explored.stopped_at}, {"interleavings", explored.interleavings},
               {"outcomes", explored.outcomes},     {"schedules", Json::array()},
               {"dependences", Json::array()},      {"findings", to_json(explored.findings)},
               {"seconds", explored.seconds},       {"fatal", explored.fatal}};
    for (const std::vector<model::Turn>& turns : explored.schedules)
      reply["schedules"].push_back(Json(model::to_json(turns)));
    for (const OrderDependence& dependence : explored.dependences) {
      reply["dependences"].push_back(Json(model::to_json(dependence.finding)));
      reply["dependences"].back().update(
          {{"before", dependence.before}, {"after", dependence.after}});
    }
    return reply;
  }

  Cache cache_;
  std::unique_ptr<cuda::OwnDevice> device_; // of the CUDA kernels
  std::vector<Built> built_;
  int memory_;
};

Json guarded_answer(HarnessSession& session, const Json& request) {
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
  limit_wall_time();
  int exit_code = 0;
  on_large_stack([&] {
    HarnessSession session(memory);
    try {
      while (const std::optional<std::string> text = receive(socket)) {
        const Json reply = guarded_answer(session, Json::parse(*text));
        send(socket, reply.dump(-1, ' ', false, Json::error_handler_t::replace));
        if (reply.value("fatal", false))
          return;
      }
    } catch (const std::exception&) { // an incomplete message: the other side is gone
      exit_code = 3;
    }
  });
  return exit_code;
}

} // namespace gputest::simulator

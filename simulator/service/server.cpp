// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/service/server.h"

#include "ir/error.h"
#include "process/messages.h"
#include "simulator/cuda/file_kernel.h"
#include "simulator/cuda/host_code.h"
#include "simulator/execute/program.h"
#include "simulator/explore/interleaved.h"
#include "simulator/memory/guard.h"
#include "simulator/service/requests.h"

#include <fmt/format.h>

namespace gputest::simulator {
namespace {

// Exactly one is set, until the program is released.
struct Built {
  std::unique_ptr<Program> program;
  std::unique_ptr<cuda::FileKernel> cuda;
};

class HarnessSession {
public:
  explicit HarnessSession(int memory) : cache_(cache_folder()), memory_(memory) {}

  model::Json answer(const model::Json& request) {
    const auto what = model::required<std::string>(request, wire::kDo);
    if (what == wire::Build::kDo)
      return build(request.get<wire::Build>());
    if (what == wire::Launch::kDo)
      return reply_of(launch(request.get<wire::Launch>()));
    if (what == wire::Explore::kDo)
      return reply_of(explore(request.get<wire::Explore>()));
    if (what == wire::Locate::kDo)
      return locate(request.get<wire::Locate>());
    throw ir::SimulatorFailure(fmt::format("unknown request '{}'", what));
  }

  // Whether a launch may have damaged this process.
  bool is_over() const { return over_; }

private:
  template <typename Reply> model::Json reply_of(const Reply& reply) {
    over_ = reply.fatal;
    return reply;
  }

  wire::Built build(const wire::Build& request) {
    for (const std::size_t program : request.released)
      built_.at(program) = {};
    const ir::Source source{.name = request.name,
                            .text = request.text,
                            .definitions = request.definitions,
                            .include_directories = request.include_directories,
                            .options = request.options,
                            .cl_std = request.cl_std};
    const std::string& kernel = request.kernel;
    Built built;
    if (request.language == "cuda") {
      if (!device_)
        device_ = std::make_unique<cuda::OwnDevice>();
      built.cuda = std::make_unique<cuda::FileKernel>(source, kernel, cache_, *device_);
    } else {
      built.program = std::make_unique<Program>(source, cache_);
    }
    const ir::KernelShape& shape =
        built.cuda
            ? built.cuda->shape()
            : built.program->kernel({.kernel = kernel, .checks = checks_named(request.checks)})
                  .shape;
    wire::Built reply{.program = built_.size()};
    for (const ir::Parameter& parameter : shape.parameters)
      reply.parameters.push_back({.name = parameter.name,
                                  .pointer = parameter.kind == ir::Parameter::Kind::Buffer,
                                  .size = parameter.size});
    built_.push_back(std::move(built));
    return reply;
  }

  static const Program::Ready& interleaved(Program& program, const wire::Launch& request) {
    return program.kernel({.kernel = request.kernel, .interleaved = true});
  }

  LaunchResult launch(const wire::Launch& request) {
    const LaunchRequest what = launch_request(request);
    const auto& [program, kernel] = built_.at(request.program);
    if (request.turns && kernel)
      return kernel->launch_turns(what, *request.turns, memory_);
    if (kernel)
      return kernel->launch(what, request.checks, memory_);
    if (request.turns) {
      const Program::Ready& ready = interleaved(*program, request);
      return launch_turns(ready.code, ready.shape, what, *request.turns, memory_);
    }
    return program->launch({.kernel = request.kernel,
                            .ordered = !what.order.items_ascend(),
                            .checks = checks_named(request.checks)},
                           what, memory_);
  }

  ExploredLaunch explore(const wire::Explore& request) {
    const LaunchRequest what = launch_request(request);
    const ExplorationBounds bounds{.interleavings = request.bounds.interleavings,
                                   .seconds = request.bounds.seconds,
                                   .more = request.bounds.more};
    const auto& [program, kernel] = built_.at(request.program);
    if (kernel)
      return kernel->explore(what, bounds, memory_);
    const Program::Ready& ready = interleaved(*program, request);
    return explore_launch(ready.code, ready.shape, what, bounds, memory_);
  }

  wire::Located locate(const wire::Locate& request) {
    wire::Located reply;
    for (const auto& [place, function] : host_code_.places_of(request.file, request.address))
      reply.places.push_back({place.file, place.line, place.column, function});
    return reply;
  }

  Cache cache_;
  cuda::HostCode host_code_;
  std::unique_ptr<cuda::OwnDevice> device_; // of the CUDA kernels
  std::vector<Built> built_;
  int memory_;
  bool over_ = false;
};

model::Json guarded_answer(HarnessSession& session, const model::Json& request) {
  const auto error = [](const char* kind, const std::exception& exception) {
    return model::Json(wire::Refusal{.error = kind, .message = exception.what()});
  };
  try {
    return session.answer(request);
  } catch (const ir::InputError& exception) {
    return error("input", exception);
  } catch (const wire::OrderError& exception) {
    return error("input", exception);
  } catch (const ir::SourceError& exception) {
    return error("source", exception);
  } catch (const std::exception& exception) {
    return error("failure", exception);
  }
}

} // namespace

int serve(int socket, int memory) {
  limit_wall_time();
  keep_guarding();
  int exit_code = 0;
  on_large_stack([&] {
    HarnessSession session(memory);
    try {
      while (const std::optional<std::string> text = process::receive(socket)) {
        const model::Json reply = guarded_answer(session, model::Json::parse(*text));
        process::send(socket, reply.dump(-1, ' ', false, model::Json::error_handler_t::replace));
        if (session.is_over())
          return;
      }
    } catch (const std::exception&) { // an incomplete message: the other side is gone
      exit_code = 3;
    }
  });
  return exit_code;
}

} // namespace gputest::simulator

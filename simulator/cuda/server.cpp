// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/server.h"

#include "ir/cuda/ptx/module.h"
#include "ir/error.h"
#include "ir/kernels/device_code.h"
#include "ir/places.h"
#include "process/ended.h"
#include "process/messages.h"
#include "simulator/cuda/block_orders.h"
#include "simulator/cuda/forks.h"
#include "simulator/cuda/host_code.h"
#include "simulator/cuda/kept_launches.h"
#include "simulator/cuda/launch.h"
#include "simulator/cuda/replies.h"
#include "simulator/memory/guard.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>
#include <utility>
#include <variant>

namespace gputest::simulator::cuda {
namespace {

// A loaded module whose variables may not have addresses yet.
struct Loading {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

struct Module {
  std::string containers;
  std::unique_ptr<Loading> loading;
  std::vector<ir::DeviceVariable> variables;
  std::map<std::string, std::uint64_t> addresses; // of variables
  std::unique_ptr<Program> program;
  // By kernel and checks, the strings in requests.
  struct Kernel {
    const Program::Ready* code = nullptr;
    PreparedLaunch launches{};
  };
  std::map<std::pair<std::string, std::string>, Kernel> kernels;
};

// Returns "scale<float>" for _Z5scaleIfEvPT_, and other names unchanged.
std::string name_of_kernel(const std::string& mangled) {
  llvm::ItaniumPartialDemangler names;
  if (names.partialDemangle(mangled.c_str()) || !names.isFunction())
    return mangled;
  const std::unique_ptr<char, decltype(&std::free)> name(names.getFunctionName(nullptr, nullptr),
                                                         &std::free);
  return name ? name.get() : mangled;
}

class ProgramSession {
public:
  explicit ProgramSession(int memory) : device_(memory), cache_(cache_folder()) { keep_guarding(); }

  // In a fork: goes on with a copy of the device's memory.
  void become(int memory, bool runs_mutant) {
    device_.move_to(memory);
    runs_mutant_ = runs_mutant;
    if (kept_)
      kept_->become_fork();
  }

  Writer answer(Reader& request) {
    switch (request.get<Request>()) {
    case Request::Load:
      return load(request);
    case Request::Read: {
      llvm::LLVMContext context;
      const auto code = request.get<CheckedCode>();
      ir::read_device_code(code.containers, context,
                           code.whole ? ir::Undefined::Refused : ir::Undefined::Allowed);
      return Writer().number(0);
    }
    case Request::Place:
      return place(request);
    case Request::Launch:
      return launch_kernel(request);
    case Request::GoOn:
      return go_on(request, false);
    case Request::GiveUp:
      return go_on(request, true);
    case Request::Locate: {
      const auto of = request.get<AddressOfHost>();
      const auto places = host_code_.places_of(of.file, of.address);
      std::vector<CodeOfHost> codes;
      for (const auto& [place, function] : places)
        codes.push_back({.line = line_of(place), .function = function});
      return Writer().number(0).put(codes);
    }
    case Request::Prepare: {
      const auto kernel = request.get<PreparedKernel>();
      kernel_of(modules_.at(kernel.module), kernel.kernel, kernel.checks);
      return Writer().number(0);
    }
    case Request::Fork:
    case Request::Ended:
      break; // Forks answers them
    case Request::FirstUnwritten:
      return first_unwritten(request);
    }
    throw ir::SimulatorFailure("a request that nobody knows");
  }

  bool harmed() const { return harmed_; }

private:
  Writer load(Reader& request) {
    Module module;
    module.containers = request.text();
    module.loading = std::make_unique<Loading>();
    module.loading->module = ir::read_device_code(module.containers, module.loading->context);
    module.variables = ir::device_variables(*module.loading->module);
    LoadedModule reply{.number = modules_.size()};
    for (const ir::DeviceKernel& kernel : ir::device_kernels(*module.loading->module)) {
      LoadedKernel& loaded =
          reply.kernels.emplace_back(LoadedKernel{.name = kernel.name,
                                                  .shared_size = kernel.shared_size,
                                                  .most_threads = kernel.most_threads,
                                                  .cluster = kernel.cluster});
      for (std::size_t i = 0; i < kernel.offsets.size(); ++i)
        loaded.parameters.push_back({.offset = kernel.offsets[i], .size = kernel.sizes[i]});
    }
    for (const ir::DeviceVariable& variable : module.variables)
      reply.variables.push_back({.name = variable.name,
                                 .size = variable.size,
                                 .alignment = variable.alignment,
                                 .constant = variable.constant,
                                 .managed = variable.managed});
    module.program = std::make_unique<Program>(
        ir::Source{.cl_std = "CL1.2", .device_code = module.containers}, cache_, !runs_mutant_);
    modules_.push_back(std::move(module));
    return Writer().number(0).put(reply);
  }

  Writer place(Reader& request) {
    const auto placed = request.get<PlacedModule>();
    Module& module = modules_.at(placed.number);
    for (std::size_t i = 0; i < module.variables.size(); ++i) {
      const ir::DeviceVariable& variable = module.variables[i];
      const std::uint64_t address = placed.addresses.at(i);
      module.addresses[variable.name] = address;
      device_.allocate(address, variable.size, ir::name_of_variable(variable.name),
                       variable.constant);
      if (variable.managed)
        device_.manage(address);
    }
    for (const ir::DeviceVariable& variable : module.variables) {
      const std::string bytes =
          ir::initial_bytes(*module.loading->module, variable.name, module.addresses);
      std::memcpy(reinterpret_cast<void*>(module.addresses[variable.name]), bytes.data(),
                  bytes.size());
    }
    module.loading.reset();
    return Writer().number(0);
  }

  void change_memory(const MemoryChanges& changes) {
    for (const MemoryChange& change : changes)
      std::visit([&](const auto& one) { make(one); }, change);
  }
  void make(const AllocatedMemory& change) {
    device_.allocate(change.address, change.size, change.name);
    if (change.kind == DeviceMemoryKind::Pinned)
      device_.share_with_host(change.address);
    else if (change.kind == DeviceMemoryKind::Managed)
      device_.manage(change.address);
  }
  void make(const FreedMemory& change) { device_.free(change.address); }
  void make(const DefinedMemory& change) { device_.define(change.address, change.size); }
  void make(const CopiedMemory& change) {
    device_.copy_definedness(change.address, change.from, change.size);
  }
  void make(const MappedMemory& change) {
    device_.map(change.address, change.size, change.file, change.offset);
  }

  Writer first_unwritten(Reader& request) {
    device_.follow_definedness();
    const auto asked = request.get<ReadRanges>();
    change_memory(asked.changes);
    FirstUnwritten found;
    for (std::size_t i = 0; i < asked.ranges.size() && found.address == 0; ++i)
      found = {.range = i,
               .address = device_.first_unwritten(asked.ranges[i].begin, asked.ranges[i].size)};
    return Writer().number(0).put(found);
  }

  const Program::Ready& compiled(Module& module, const std::string& kernel,
                                 const std::string& checks) {
    std::istringstream words(checks);
    const std::vector<std::string> names{std::istream_iterator<std::string>(words), {}};
    const CodeVariant variant{.kernel = kernel, .checks = checks_named(names)};
    if (variant.checks.has("uninitialized"))
      device_.follow_definedness();
    return module.program->kernel(variant);
  }

  Module::Kernel& kernel_of(Module& module, const std::string& kernel, const std::string& checks) {
    Module::Kernel& chosen = module.kernels[{kernel, checks}];
    if (!chosen.code)
      chosen.code = &compiled(module, kernel, checks);
    return chosen;
  }

  // Runs a launch and the launches that its kernel makes.
  struct Way {
    std::uint64_t module = 0;
    std::string checks;
    double limit = 0;
    AccessesWanted accesses = AccessesWanted::None;
    std::optional<std::uint64_t> kept{}; // KeptLaunches::look_at()
  };

  // A grid ends when all grids that it has launched have ended, in the order of its stream. Blocks
  // run one after the other, so this is also the order of the streams of all its blocks.
  void launch_what_it_launches(Launched& parent, const Way& way) {
    launch_children(parent, way);
    device_.pending_launches = 0; // after an error, too
  }

  void launch_children(Launched& parent, const Way& way) {
    Module& module = modules_.at(way.module);
    std::vector<LaunchByKernel> launches = std::exchange(parent.launches, {});
    std::ranges::stable_partition(launches, [](const LaunchByKernel& one) { return !one.last; });
    for (LaunchByKernel& one : launches) {
      if (parent.error != kNoError)
        return;
      Module::Kernel& kernel = kernel_of(module, one.kernel, way.checks);
      const Launch what{.grid = one.grid,
                        .block = one.block,
                        .shared_bytes = one.shared_bytes,
                        .arguments = std::move(one.arguments),
                        .limit = way.limit,
                        .accesses = way.accesses,
                        .forgives = !runs_mutant_};
      const std::optional<std::uint64_t> kept = keep(way.module, one.kernel, kernel, what);
      Launched launched = launch(*kernel.code, what, device_, module.addresses, kernel.launches);
      end_kept(kept, launched);
      launch_children(launched, way);
      --device_.pending_launches;
      parent.seconds += launched.seconds;
      parent.error = launched.error;
      parent.message = std::move(launched.message);
      parent.output += launched.output;
      std::ranges::move(launched.findings, std::back_inserter(parent.findings));
      std::ranges::move(launched.notes, std::back_inserter(parent.notes));
      std::ranges::move(launched.forgiven, std::back_inserter(parent.forgiven));
      parent.footprint.add(launched.footprint);
    }
  }

  std::optional<std::uint64_t> keep(std::uint64_t number, const std::string& name,
                                    const Module::Kernel& kernel, const Launch& what) {
    if (!kept_)
      return std::nullopt;
    const Module& module = modules_.at(number);
    return kept_->look_at({.module = number,
                           .containers = module.containers,
                           .variables = module.addresses,
                           .mangled = name,
                           .title = name_of_kernel(name),
                           .shape = kernel.code->shape,
                           .launch = what},
                          device_);
  }
  void end_kept(std::optional<std::uint64_t> number, const Launched& launched) {
    if (number)
      kept_->end(*number,
                 launched.error == kNoError ? std::nullopt : std::optional(launched.message));
  }

  Writer launch_kernel(Reader& request) {
    auto given = request.get<KernelLaunch>();
    const std::string kernel = given.kernel, checks = given.checks;
    Module& module = modules_.at(given.module);
    Launch what;
    what.grid = given.grid;
    what.block = given.block;
    what.shared_bytes = given.shared_bytes;
    what.cooperative = given.cooperative;
    what.cluster = given.cluster;
    what.arguments = std::move(given.arguments);
    what.limit = static_cast<double>(given.limit);
    what.may_wait = given.may_wait;
    what.accesses = given.accesses;
    what.forgives = !runs_mutant_;
    Module::Kernel& chosen = kernel_of(module, kernel, checks);
    change_memory(given.changes);
    const std::optional<std::uint64_t> kept = keep(given.module, kernel, chosen, what);
    BlockOrders::Run run = launch_in_orders(kernel, chosen, what, module, given.orders);
    const Way way{.module = given.module,
                  .checks = checks,
                  .limit = what.limit,
                  .accesses = what.accesses,
                  .kept = kept};
    if (run.launched.running) {
      waiting_[next_waiting_] = {run.launched.running, way};
      return reply_of_waiting(next_waiting_++);
    }
    end_kept(kept, run.launched);
    launch_what_it_launches(run.launched, way);
    OrderedLaunch ordered;
    if (run.scheduled)
      ordered = {.scheduled = nlohmann::ordered_json(*run.scheduled).dump(),
                 .kernel = name_of_kernel(kernel),
                 .file = chosen.code->shape.place.file};
    return reply_of(run.launched, std::move(ordered));
  }

  Writer go_on(Reader& request, bool give_up) {
    const auto [number, changes] = request.get<ContinuedLaunch>();
    change_memory(changes);
    const auto& [launch, way] = waiting_.at(number);
    if (give_up)
      launch->give_up();
    else if (!launch->go_on(kPatience))
      return reply_of_waiting(number);
    Launched launched = launch->result();
    end_kept(way.kept, launched);
    launch_what_it_launches(launched, way);
    Writer reply = reply_of(launched);
    waiting_.erase(number);
    return reply;
  }

  Writer reply_of_waiting(std::uint64_t number) {
    return Writer().number(0).put(AnsweredLaunch{
        .launch =
            StalledLaunch{.number = number, .waits_for = waiting_.at(number).first->waits_for()}});
  }

  Writer reply_of(const Launched& launched, OrderedLaunch ordered = {}) {
    harmed_ = launched.error != kNoError;
    return Writer().number(0).put(
        AnsweredLaunch{.launch = ended_launch(launched), .ordered = std::move(ordered)});
  }

  BlockOrders::Run launch_in_orders(const std::string& kernel, Module::Kernel& chosen,
                                    const Launch& what, const Module& module,
                                    const std::string& orders) {
    const auto run = [&](const Launch& one) {
      return launch(*chosen.code, one, device_, module.addresses, chosen.launches);
    };
    if (orders.empty())
      return {run(what), std::nullopt};
    if (!orders_)
      orders_.emplace(order_settings(orders));
    // Several files may have kernels of one name.
    const std::string key = fmt::format("{} {}", &module - modules_.data(), kernel);
    return orders_->launch(key, what, device_, run, [&](const Region& region) {
      const std::map<const std::byte*, std::string> names =
          argument_names(chosen.code->shape, what.arguments.data(), device_);
      const auto named = names.find(region.begin);
      return named == names.end() ? region.name : named->second;
    });
  }

  HostCode host_code_;
  Device device_;
  Cache cache_;
  std::vector<Module> modules_;
  static constexpr double kPatience = 0.002; // seconds for a resumed launch
  std::map<std::uint64_t, std::pair<std::shared_ptr<RunningLaunch>, Way>> waiting_;
  std::uint64_t next_waiting_ = 1;
  std::optional<BlockOrders> orders_; // set at the first launch with orders
  std::optional<KeptLaunches> kept_ = KeptLaunches::asked();
  bool harmed_ = false;
  // A mutant's time limit is relative to the original, so its run does not recompile code. It uses
  // code that the original's run has made. And no mutant lives because a GPU forgives.
  bool runs_mutant_ = std::getenv("GPUTEST_CUDA_MUTANT") != nullptr;
};

std::string guarded_answer(ProgramSession& session, const std::string& message) {
  try {
    Reader request(message);
    return session.answer(request).message();
  } catch (const ir::PtxError& error) {
    return Writer().number(kInvalidPtx).text(error.what()).message();
  } catch (const ir::SourceError& error) {
    return Writer().number(kNotSupported).text(error.what()).message();
  } catch (const ir::InputError& error) {
    return Writer().number(kInvalidKernelImage).text(error.what()).message();
  } catch (const std::exception& error) {
    return Writer().number(kLaunchFailure).text(error.what()).message();
  }
}

// Without memory this fork ends as one that others have ended (process/ended.h).
void become(ProgramSession& session, const Forks::Served& fork) {
  try {
    session.become(fork.memory.number(), fork.runs_mutant);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gputest-simulator: %s\n", error.what());
    ::_exit(process::kEndedByOthers);
  }
}

} // namespace

int serve(int socket, int memory, const std::function<void(int)>& end_with) {
  int exit_code = 0;
  on_large_stack([&] {
    Forks forks;
    std::optional<Forks::Served> fork; // that this process is
    try {
      ProgramSession session(memory);
      while (const std::optional<std::string> message = process::receive(socket)) {
        Reader request(*message);
        const auto what = request.get<Request>();
        if (!Forks::answers(what)) {
          process::send(socket, guarded_answer(session, *message));
          if (session.harmed())
            break;
        } else if (auto served = forks.answer(what, request, socket)) {
          fork = std::move(served);
          socket = fork->socket.number();
          end_with(socket);
          become(session, *fork);
        }
      }
      if (fork)
        ::_exit(0);                         // the thread that waits for this one is not here
    } catch (const std::exception& error) { // the other side is gone
      std::fprintf(stderr, "gputest-simulator: %s\n", error.what());
      exit_code = 3;
    }
    if (fork)
      ::_exit(exit_code);
  });
  return exit_code;
}

} // namespace gputest::simulator::cuda

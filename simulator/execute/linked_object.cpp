// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/linked_object.h"

#include "ir/error.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderGDB.h>
#include <llvm/ExecutionEngine/Orc/TaskDispatch.h>
#include <llvm/Object/ELFObjectFile.h>
#include <map>
#include <mutex>
#include <unistd.h>

// What debuggers look for. The library of LLVM has them.
extern "C" {
extern jit_descriptor known_objects __asm__("__jit_debug_descriptor");
void tell_debugger() __asm__("__jit_debug_register_code");
}

namespace gputest::simulator {
namespace {

namespace orc = llvm::orc;
namespace jitlink = llvm::jitlink;

template <typename Value> Value expect(llvm::Expected<Value> value) {
  if (!value)
    throw ir::SimulatorFailure(llvm::toString(value.takeError()));
  return std::move(*value);
}

void expect(llvm::Error error) {
  if (error)
    throw ir::SimulatorFailure(llvm::toString(std::move(error)));
}

using Addresses = std::map<std::string, std::uint64_t>; // of sections that are in memory

// Writes the addresses into the object, so that its debug information is about them.
llvm::Error place_sections(std::string& object, const Addresses& addresses) {
  using File = llvm::object::ELF64LEFile;
  llvm::Expected<File> file = File::create(object);
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  for (const File::Elf_Shdr& section : *sections) {
    auto name = file->getSectionName(section);
    if (!name)
      return name.takeError();
    const auto found = addresses.find(name->str());
    if ((section.sh_flags & llvm::ELF::SHF_ALLOC) != 0 && found != addresses.end())
      const_cast<File::Elf_Shdr&>(section).sh_addr = found->second; // `object` may be changed
  }
  return llvm::Error::success();
}

// Tells debuggers of an object while it lives.
class Debugged {
public:
  explicit Debugged(const std::string& object) {
    entry_.symfile_addr = object.data();
    entry_.symfile_size = object.size();
    const std::lock_guard lock(mutex());
    entry_.next_entry = known_objects.first_entry;
    if (entry_.next_entry)
      entry_.next_entry->prev_entry = &entry_;
    known_objects.first_entry = &entry_;
    tell(JIT_REGISTER_FN);
  }
  Debugged(const Debugged&) = delete;
  Debugged& operator=(const Debugged&) = delete;
  ~Debugged() {
    const std::lock_guard lock(mutex());
    (entry_.prev_entry ? entry_.prev_entry->next_entry : known_objects.first_entry) =
        entry_.next_entry;
    if (entry_.next_entry)
      entry_.next_entry->prev_entry = entry_.prev_entry;
    tell(JIT_UNREGISTER_FN);
  }

private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  void tell(jit_actions_t action) {
    known_objects.relevant_entry = &entry_;
    known_objects.action_flag = action;
    tell_debugger();
    known_objects.relevant_entry = nullptr;
    known_objects.action_flag = JIT_NOACTION;
  }

  jit_code_entry entry_{};
};

model::CodePlace place_at(llvm::DWARFContext& dwarf,
                          const llvm::object::SectionedAddress& address) {
  const llvm::DIInliningInfo frames = dwarf.getInliningInfoForAddress(
      address, {llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath});
  // Skips the simulator's own code.
  for (unsigned i = 0; i < frames.getNumberOfFrames(); ++i) {
    const llvm::DILineInfo& line = frames.getFrame(i);
    if (line.Line != 0 && !llvm::StringRef(line.FileName).starts_with("/gputest/"))
      return {std::filesystem::path(line.FileName).lexically_normal().string(), line.Line,
              line.Column};
  }
  return {};
}

// `around`: the place of a neighbour, at most so many bytes away, will do.
model::CodePlace place_in(const llvm::object::ObjectFile& file, std::uint64_t address,
                          std::uint64_t around) {
  for (const llvm::object::SectionRef& section : file.sections()) {
    const std::uint64_t begin = section.getAddress(), end = begin + section.getSize();
    if (!section.isText() || address < begin || address >= end)
      continue;
    const std::unique_ptr<llvm::DWARFContext> dwarf = llvm::DWARFContext::create(file);
    for (std::uint64_t away = 0; away <= around; ++away)
      for (const std::uint64_t at : {address - away, address + away})
        if (at >= begin && at < end)
          if (const model::CodePlace place = place_at(*dwarf, {at, section.getIndex()});
              place.line != 0)
            return place;
  }
  return {};
}

// The functions of an object that place_sections() has changed.
llvm::Error add_to_perf_map(const llvm::object::ELFObjectFileBase& file) {
  const std::string name = fmt::format("/tmp/perf-{}.map", ::getpid());
  std::ofstream map(name, std::ios::app);
  for (const llvm::object::ELFSymbolRef symbol : file.symbols()) {
    if (symbol.getELFType() != llvm::ELF::STT_FUNC)
      continue;
    auto called = symbol.getName();
    if (!called)
      return called.takeError();
    auto address = symbol.getAddress();
    if (!address)
      return address.takeError();
    const model::CodePlace place = place_in(file, *address, symbol.getSize());
    map << fmt::format("{:x} {:x} {}", *address, symbol.getSize(), called->str());
    if (place.line != 0)
      map << fmt::format(" at {}:{}", place.file, place.line);
    map << '\n';
  }
  if (!map.flush())
    return llvm::createStringError("cannot write " + name);
  return llvm::Error::success();
}

} // namespace

struct LinkedObject::Parts {
  std::string object; // later with the addresses of its sections
  Addresses addresses;
  std::unique_ptr<llvm::object::ObjectFile> file;
  std::unique_ptr<Debugged> debugged;
  std::unique_ptr<orc::ExecutionSession> session;
  std::unique_ptr<orc::ObjectLinkingLayer> layer;
  orc::JITDylib* library = nullptr;

  ~Parts() {
    if (session)
      llvm::cantFail(session->endSession());
  }

  llvm::Error linked() {
    if (llvm::Error error = place_sections(object, addresses))
      return error;
    llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> made =
        llvm::object::ObjectFile::createELFObjectFile({object, "gputest-kernel.o"});
    if (!made)
      return made.takeError();
    file = std::move(*made);
    debugged = std::make_unique<Debugged>(object);
    const char* const perf = std::getenv(kPerfMap);
    return perf && perf == std::string_view("1")
               ? add_to_perf_map(llvm::cast<llvm::object::ELFObjectFileBase>(*file))
               : llvm::Error::success();
  }
};

namespace {

// Tells the object where its sections are, and that it is linked.
template <typename Parts> class Linking : public orc::ObjectLinkingLayer::Plugin {
public:
  explicit Linking(Parts& parts) : parts_(parts) {}

  void modifyPassConfig(orc::MaterializationResponsibility&, jitlink::LinkGraph&,
                        jitlink::PassConfiguration& passes) override {
    passes.PostAllocationPasses.push_back([this](jitlink::LinkGraph& graph) {
      for (const jitlink::Section& section : graph.sections())
        if (!section.empty())
          parts_.addresses[section.getName().str()] =
              jitlink::SectionRange(section).getStart().getValue();
      return llvm::Error::success();
    });
  }
  llvm::Error notifyEmitted(orc::MaterializationResponsibility&) override {
    return parts_.linked();
  }
  llvm::Error notifyFailed(orc::MaterializationResponsibility&) override {
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(orc::JITDylib&, orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(orc::JITDylib&, orc::ResourceKey, orc::ResourceKey) override {}

private:
  Parts& parts_;
};

} // namespace

LinkedObject::LinkedObject(const std::string& object, const std::vector<NativeSymbol>& symbols)
    : parts_(std::make_unique<Parts>()) {
  parts_->object = object;
  // On this thread: a fork has no other.
  parts_->session =
      std::make_unique<orc::ExecutionSession>(expect(orc::SelfExecutorProcessControl::Create(
          nullptr, std::make_unique<orc::InPlaceTaskDispatcher>())));
  orc::ExecutionSession& session = *parts_->session;
  parts_->layer = std::make_unique<orc::ObjectLinkingLayer>(session);
  parts_->layer->addPlugin(std::make_shared<Linking<Parts>>(*parts_));
  orc::JITDylib& library = session.createBareJITDylib("kernel");
  parts_->library = &library;
  orc::SymbolMap map;
  for (const NativeSymbol& symbol : symbols)
    map[session.intern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                        llvm::JITSymbolFlags::Exported |
                                            llvm::JITSymbolFlags::Callable};
  expect(library.define(orc::absoluteSymbols(std::move(map))));
  library.addGenerator(expect(orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0')));
  expect(parts_->layer->add(library,
                            llvm::MemoryBuffer::getMemBufferCopy(object, "gputest-kernel.o")));
}

LinkedObject::~LinkedObject() = default;

std::uintptr_t LinkedObject::address_of(const char* name) const {
  orc::ExecutionSession& session = *parts_->session;
  return expect(session.lookup({parts_->library}, session.intern(name))).getAddress().getValue();
}

bool LinkedObject::has_code_at(const void* instruction) const {
  const auto address = reinterpret_cast<std::uint64_t>(instruction);
  return parts_->file &&
         llvm::any_of(parts_->file->sections(), [&](const llvm::object::SectionRef& section) {
           return section.isText() && address >= section.getAddress() &&
                  address < section.getAddress() + section.getSize();
         });
}

model::CodePlace LinkedObject::place_of(const void* instruction, std::uint64_t around) const {
  return parts_->file
             ? place_in(*parts_->file, reinterpret_cast<std::uint64_t>(instruction), around)
             : model::CodePlace();
}

} // namespace gputest::simulator

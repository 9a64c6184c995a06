#include "simulator/execute/loader.h"

#include "ir/error.h"
#include "simulator/execute/near_memory.h"

#include <filesystem>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h>
#include <llvm/Support/TargetSelect.h>

namespace gputest::simulator {
namespace {

namespace orc = llvm::orc;

template <typename Value> Value expect(llvm::Expected<Value> value) {
  if (!value)
    throw SimulatorFailure(llvm::toString(value.takeError()));
  return std::move(*value);
}

void expect(llvm::Error error) {
  if (error)
    throw SimulatorFailure(llvm::toString(std::move(error)));
}

} // namespace

struct LoadedCode::Parts {
  llvm::object::OwningBinary<llvm::object::ObjectFile> debug; // at the addresses it was loaded to
  std::unique_ptr<orc::LLJIT> jit;
};

LoadedCode::LoadedCode(const std::string& object, const std::vector<NativeSymbol>& symbols,
                       Checks checks)
    : parts_(std::make_unique<Parts>()), checks_(std::move(checks)) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  orc::LLJITBuilder builder;
  Parts* const parts = parts_.get();
  builder.setObjectLinkingLayerCreator(
      [parts](orc::ExecutionSession& session,
              auto&&...) -> llvm::Expected<std::unique_ptr<orc::ObjectLayer>> {
        auto layer = std::make_unique<orc::RTDyldObjectLinkingLayer>(
            session, [](auto&&...) { return near_memory(); });
        layer->setProcessAllSections(true);
        layer->setNotifyLoaded([parts](orc::MaterializationResponsibility&,
                                       const llvm::object::ObjectFile& file,
                                       const llvm::RuntimeDyld::LoadedObjectInfo& info) {
          parts->debug = info.getObjectForDebug(file);
        });
        return layer;
      });
  parts->jit = expect(builder.create());
  orc::JITDylib& library = parts->jit->getMainJITDylib();
  orc::SymbolMap map;
  for (const NativeSymbol& symbol : symbols)
    map[parts->jit->mangleAndIntern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                     llvm::JITSymbolFlags::Exported |
                                                         llvm::JITSymbolFlags::Callable};
  expect(library.define(orc::absoluteSymbols(std::move(map))));
  library.addGenerator(expect(orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      parts->jit->getDataLayout().getGlobalPrefix())));
  expect(
      parts->jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, "gputest-kernel.o")));
}

LoadedCode::~LoadedCode() = default;
LoadedCode::LoadedCode(LoadedCode&&) noexcept = default;

LoadedCode::Group LoadedCode::group() const {
  return expect(parts_->jit->lookup("gputest_group")).toPtr<Group>();
}

LoadedCode::Step LoadedCode::step() const {
  return expect(parts_->jit->lookup("gputest_step")).toPtr<Step>();
}

model::CodePlace LoadedCode::place_of(const void* instruction) const {
  const llvm::object::ObjectFile* const file = parts_->debug.getBinary();
  if (!file)
    return {};
  const auto address = reinterpret_cast<std::uint64_t>(instruction);
  llvm::object::SectionedAddress place{address, llvm::object::SectionedAddress::UndefSection};
  for (const llvm::object::SectionRef& section : file->sections())
    if (section.isText() && address >= section.getAddress() &&
        address < section.getAddress() + section.getSize())
      place.SectionIndex = section.getIndex();
  const std::unique_ptr<llvm::DWARFContext> dwarf = llvm::DWARFContext::create(*file);
  const llvm::DIInliningInfo frames = dwarf->getInliningInfoForAddress(
      place, {llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath});
  // The simulator's own code is not what anybody wants to see.
  for (unsigned i = 0; i < frames.getNumberOfFrames(); ++i) {
    const llvm::DILineInfo& line = frames.getFrame(i);
    if (line.Line != 0 && !llvm::StringRef(line.FileName).starts_with("/gputest/"))
      return {std::filesystem::path(line.FileName).lexically_normal().string(), line.Line,
              line.Column};
  }
  return {};
}

} // namespace gputest::simulator

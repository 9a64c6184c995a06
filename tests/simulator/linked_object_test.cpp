// Machine code of kernels: what it calls may be anywhere, and debuggers and perf know it.
#include "simulator/execute/linked_object.h"

#include "ir/error.h"
#include "ir/host.h"
#include "ir/optimise.h"
#include "simulator/execute/program.h"
#include "tests/catch.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <llvm/AsmParser/Parser.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderGDB.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/SourceMgr.h>
#include <memory>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

extern "C" jit_descriptor known_to_debuggers __asm__("__jit_debug_descriptor");

namespace gputest::simulator {
namespace {

constexpr std::size_t kPiece = std::size_t{16} << 20;
constexpr std::intptr_t kReach = std::intptr_t{1} << 31; // of an instruction

// All addresses that are free within twice the reach of an instruction, in pieces.
class Taken {
public:
  explicit Taken(const void* around) {
    constexpr std::intptr_t kAround = 2 * kReach;
    for (std::intptr_t at = -kAround; at < kAround; at += kPiece) {
      const std::intptr_t begin = (reinterpret_cast<std::intptr_t>(around) + at) & -4096;
      void* const piece =
          ::mmap(reinterpret_cast<void*>(begin), kPiece, PROT_NONE, // NOLINT
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
      if (piece != MAP_FAILED)
        pieces_.push_back(piece);
    }
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken() {
    for (void* const piece : pieces_)
      ::munmap(piece, kPiece);
  }

private:
  std::vector<void*> pieces_;
};

int numbers_given = 0;
int next_number() {
  return ++numbers_given;
}

std::string object_of(const char* text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic message;
  const auto module = llvm::parseAssemblyString(text, message, context);
  REQUIRE(module);
  ir::retarget(*module);
  return ir::machine_code(*module, ir::Effort::Quick);
}

// The object that debuggers know whose code has the address.
std::unique_ptr<llvm::object::ObjectFile> object_at(std::uint64_t address) {
  for (const jit_code_entry* one = known_to_debuggers.first_entry; one; one = one->next_entry) {
    auto file = llvm::cantFail(llvm::object::ObjectFile::createELFObjectFile(
        {llvm::StringRef(one->symfile_addr, one->symfile_size), "known"}));
    for (const llvm::object::SectionRef& section : file->sections())
      if (section.isText() && address - section.getAddress() < section.getSize())
        return file;
  }
  return nullptr;
}

TEST_CASE("machine code calls functions and reads variables that are out of its reach") {
  const std::string object = object_of("declare i32 @next_number()\n"
                                       "@given = external global i32\n"
                                       "@before = private constant [2 x i32] [i32 40, i32 50]\n"
                                       "define i32 @f(i64 %i) {\n"
                                       "  %at = getelementptr i32, ptr @before, i64 %i\n"
                                       "  %sum = load i32, ptr %at\n"
                                       "  %next = call i32 @next_number()\n"
                                       "  %now = load i32, ptr @given\n"
                                       "  %two = add i32 %next, %now\n"
                                       "  %all = add i32 %sum, %two\n"
                                       "  ret i32 %all\n"
                                       "}\n");
  const Taken taken(&numbers_given);
  const LinkedObject linked(
      object, {{"next_number", reinterpret_cast<void*>(&next_number)}, {"given", &numbers_given}});
  const auto function = linked.function<int (*)(std::int64_t)>("f");
  CHECK(std::abs(reinterpret_cast<std::intptr_t>(function) -
                 reinterpret_cast<std::intptr_t>(&numbers_given)) > kReach);
  numbers_given = 0;
  CHECK(function(0) == 40 + 1 + 1);
  CHECK(function(1) == 50 + 2 + 2);
  CHECK_THROWS_AS(linked.function<int (*)()>("g"), ir::SimulatorFailure);
}

TEST_CASE("debuggers and perf know the machine code of a kernel while it is loaded") {
  ::setenv(LinkedObject::kPerfMap, "1", 1);
  const std::string map = fmt::format("/tmp/perf-{}.map", ::getpid());
  std::uint64_t address = 0;
  {
    const Cache no_cache{{}};
    Program program({.name = "t.cl",
                     .text = "#line 1 \"/t.cl\"\n"
                             "kernel void k(global int* x) {\n"
                             "  x[get_global_id(0)] += 3;\n"
                             "}\n",
                     .definitions = {},
                     .include_directories = {},
                     .options = {},
                     .cl_std = ""},
                    no_cache);
    address = reinterpret_cast<std::uint64_t>(program.kernel({.kernel = "k"}).code.group());
    const auto file = object_at(address);
    REQUIRE(file);
    const auto dwarf = llvm::DWARFContext::create(*file);
    std::set<std::string> lines;
    for (const auto& unit : dwarf->compile_units())
      for (const auto& row : dwarf->getLineTableForUnit(unit.get())->Rows)
        if (row.Address.Address >= address && row.Line == 2)
          lines.insert("2");
    CHECK(lines == std::set<std::string>{"2"});
  }
  CHECK_FALSE(object_at(address));
  ::unsetenv(LinkedObject::kPerfMap);
  const std::string begin = fmt::format("{:x} ", address), name = " gputest_group at /t.cl:";
  std::ifstream told(map);
  bool is_told = false;
  std::string all;
  for (std::string line; std::getline(told, line); all += line + '\n')
    is_told |= line.starts_with(begin) && line.find(name) != std::string::npos;
  INFO(all);
  CHECK(is_told);
  std::filesystem::remove(map);
}

} // namespace
} // namespace gputest::simulator

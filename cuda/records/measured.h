// What instrumented device code records, kept where it survives the program.
//
// GPUTEST_CUDA_VARIANT names the variant of the device code that runs ("coverage", "mutants"), and
// GPUTEST_CUDA_RECORDS a folder. GPUTEST_CUDA_MUTANT has the active mutant in each source that has
// it, "<source>:<number> …"; without it the original runs, and records what it reaches.
// GPUTEST_CUDA_BUDGET has the iterations that loops of the mutant may take. Each
// process writes <process id>.json there, a line for each compiled source of which something was
// loaded: its folder with tables, the device, the number of launches, and what its state holds, 8
// hexadecimal digits a word, or why it could not be read. The last line has the files of the
// program and of the libraries that it has loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gputest::cuda {

class Measured {
public:
  // `device`: what runs kernels, "simulator" or "gpu".
  explicit Measured(std::string device);

  const std::string& variant() const { return variant_; }

  // The mutant that is active from now on, as GPUTEST_CUDA_MUTANT and GPUTEST_CUDA_BUDGET have it.
  void activate(const std::string& mutant, std::uint32_t budget);

  // A compiled source whose variant has been chosen. `folder` has its tables and is called as it.
  void add_unit(const std::string& folder);

  // A variable of the device: if it is the state of a variant, it is watched from now on. `view`:
  // where the host sees it.
  void watch(const std::string& variable, std::byte* view, std::size_t size);

  // The memory at `view` is about to go, with a module that the program unloads.
  void unwatch(const std::byte* view);

  // A launch of the host's code, which is a site of mutants: the number of the active mutant of the
  // source, 0: none.
  unsigned launch(const std::string& unit, unsigned site);

  // After a launch, and at the end.
  void write(std::uint64_t launches);

  // Why what the device recorded could not be read.
  void lose(const std::string& why) { lost_ = why; }

private:
  struct Unit {
    std::string name, folder;
    std::byte* state = nullptr;
    std::size_t size = 0;
    std::vector<std::byte> left{}; // by a module that was unloaded
  };
  unsigned active_in(const std::string& unit) const;
  void control(const Unit& unit, std::byte* state) const;
  std::string state_of(const Unit& unit) const;

  std::string device_, variant_, records_, lost_;
  std::uint32_t budget_ = 0;
  std::map<std::string, unsigned> active_;             // by unit
  std::map<std::string, std::set<unsigned>> launched_; // sites of launches that were reached
  std::vector<Unit> units_;
  std::string written_;
};

} // namespace gputest::cuda

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps what instrumented device code records in files that survive the program.
//
// The environment says what runs and where records go:
// - GPUTEST_CUDA_VARIANT: the variant of device code, "coverage" or "mutants".
// - GPUTEST_CUDA_RECORDS: the folder for records.
// - GPUTEST_CUDA_MUTANT: the active mutant of each source, "<source>:<number> …". Without it the
//   original runs and records which mutants it reaches.
// - GPUTEST_CUDA_BUDGET: the number of iterations that loops of a mutant may take.
//
// Each process writes <process id>.json to the folder. The file has a line for each compiled source
// that was loaded: the folder with its tables, the device, the number of launches, and its state.
// The state has 8 hexadecimal digits a word, or says why it could not be read. The last line names
// the files of the program and of its loaded libraries.
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
  // `device`: "simulator" or "gpu".
  explicit Measured(std::string device);

  const std::string& variant() const { return variant_; }

  // Activates a mutant; the parameters replace GPUTEST_CUDA_MUTANT and GPUTEST_CUDA_BUDGET.
  void activate(const std::string& mutant, std::uint32_t budget);

  // Adds a compiled source that runs the variant. `folder` has its tables, and the folder's name is
  // the source's.
  void add_unit(const std::string& folder);

  // Watches a variable of the device if it is the state of an added source. `view`: its address for
  // the host. `size`: bytes.
  void watch(const std::string& variable, std::byte* view, std::size_t size);

  // Keeps the words at `view`, because the program is about to unload their module.
  void unwatch(const std::byte* view);

  // Records a launch in host code that is a site of mutants. Returns the number of the source's
  // active mutant; 0: none.
  unsigned launch(const std::string& unit, unsigned site);

  // Writes the file if there is something new. Is called after each launch and at the end.
  void write(std::uint64_t launches);

  // Notes why the device's state could not be read.
  void lose(const std::string& why) { lost_ = why; }

private:
  struct Unit {
    std::string name, folder;
    std::byte* state = nullptr;
    std::size_t size = 0;
    std::vector<std::byte> left{}; // the words of an unloaded module
  };
  unsigned active_in(const std::string& unit) const;
  void control(const Unit& unit, std::byte* state) const;
  std::string state_of(const Unit& unit) const;

  std::string device_, variant_, records_, lost_;
  std::uint32_t budget_ = 0;
  std::map<std::string, unsigned> active_;             // by unit
  std::map<std::string, std::set<unsigned>> launched_; // sites of launches that were reached
  std::vector<Unit> units_;
  std::string written_, written_states_;
};

} // namespace gputest::cuda

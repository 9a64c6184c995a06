// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exceptions that running kernels throws. what() is a complete message for the user.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gputest {

class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// The caller made a mistake in arguments, sizes or files. Exit code 2.
class UsageError : public Error {
public:
  using Error::Error;
};

// A device, its OpenCL implementation or CUDA driver failed, or cannot do what was asked. Exit code
// 3.
class DeviceError : public Error {
public:
  using Error::Error;
};

// The host or the device has no memory left.
class OutOfMemory : public DeviceError {
public:
  using DeviceError::DeviceError;
};

// There is no device at all: no OpenCL device, or no CUDA GPU where one is asked for. Exit code 77:
// tests are skipped.
class NoDevice : public DeviceError {
public:
  NoDevice() : NoDevice("no OpenCL device") {}
  explicit NoDevice(const std::string& what) : DeviceError("skipped: " + what) {}
};

// A program does not build. what() ends with `log`, the whole log of the compiler.
class BuildError : public DeviceError {
public:
  BuildError(const std::string& message, std::string build_log)
      : DeviceError(message + "\n" + build_log), log(std::move(build_log)) {}
  std::string log;
};

// The kernel wrote out of bounds, or ended in a fault on a CUDA GPU. Exit code 1.
class KernelError : public Error {
public:
  using Error::Error;
};

// The simulator's checks found something. Exit code 1.
class CheckError : public KernelError {
public:
  CheckError(const std::string& message, std::vector<std::string> found)
      : KernelError(message), findings(std::move(found)) {}
  std::vector<std::string> findings; // one text each: "k.cl:3:5: error: …"
};

// The process that ran the kernel died, or took too long. Exit code 1.
class KernelCrash : public KernelError {
public:
  using KernelError::KernelError;
};

} // namespace gputest

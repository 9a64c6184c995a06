// What can go wrong while running kernels. what() is a complete message for the user.
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

// Wrong usage or input: arguments, sizes, files. Exit code 2.
class UsageError : public Error {
public:
  using Error::Error;
};

// A device or its OpenCL implementation failed, or cannot do what was asked. Exit code 3.
class DeviceError : public Error {
public:
  using Error::Error;
};

// The host or the device has no memory left.
class OutOfMemory : public DeviceError {
public:
  using DeviceError::DeviceError;
};

// There is no device at all: of OpenCL, or of CUDA where one is asked for. Exit code 77: tests are
// skipped.
class NoDevice : public DeviceError {
public:
  NoDevice() : NoDevice("no OpenCL device") {}
  explicit NoDevice(const std::string& what) : DeviceError("skipped: " + what) {}
};

// A program does not build. what() ends with the whole log.
class BuildError : public DeviceError {
public:
  BuildError(const std::string& message, std::string build_log)
      : DeviceError(message + "\n" + build_log), log(std::move(build_log)) {}
  std::string log;
};

// The kernel ran, but wrote out of bounds. Exit code 1.
class KernelError : public Error {
public:
  using Error::Error;
};

// The simulator's checks found something. Exit code 1.
class CheckError : public KernelError {
public:
  CheckError(const std::string& message, std::vector<std::string> found)
      : KernelError(message), findings(std::move(found)) {}
  std::vector<std::string> findings; // "k.cl:3:5: error: …", one each
};

// The process in which a kernel ran died, or took too long. Exit code 1.
class KernelCrash : public KernelError {
public:
  using KernelError::KernelError;
};

} // namespace gputest

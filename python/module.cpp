// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Python module gputest: run_kernel and run_function with the words of gputest/run_kernel.h
// (docs/python.md).
#include "gputest/run_kernel.h"
#include "python/arguments.h"
#include "python/images.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace gputest::python {
namespace {

namespace py = pybind11;
using Sizes = std::variant<std::size_t, std::vector<std::size_t>>;

std::vector<std::size_t> sizes(const Sizes& given) {
  if (const auto* const one = std::get_if<std::size_t>(&given))
    return {*one};
  return std::get<std::vector<std::size_t>>(given);
}

std::string path_text(const py::object& path) {
  return py::str(py::module_::import("os").attr("fspath")(path));
}

Source source_of(const py::object& given) {
  return py::isinstance<Source>(given) ? given.cast<Source>() : Source(path_text(given));
}

// The result of a launch, with the arrays that gputest.out stands for.
struct PythonResult {
  double seconds = 0;
  std::string device;
  struct Output {
    std::size_t position;
    std::string name;
    py::array array;
  };
  std::vector<Output> outputs;

  py::array output(const std::variant<std::size_t, std::string>& which) const {
    const auto* const name = std::get_if<std::string>(&which);
    for (const Output& output : outputs)
      if (name ? output.name == *name : output.position == std::get<std::size_t>(which))
        return output.array;
    throw UsageError(name ? "'" + *name + "' is no gputest.out"
                          : "argument " + std::to_string(std::get<std::size_t>(which)) +
                                " is no gputest.out");
  }
};

PythonResult python_result(const Result& result, const std::vector<py::object>& arguments) {
  PythonResult made{result.seconds, result.device, {}};
  for (const Result::Output& output : result.outputs()) {
    const auto& buffer = arguments[output.position].cast<const OutputBuffer&>();
    py::array array(buffer.type, std::vector<py::ssize_t>{static_cast<py::ssize_t>(buffer.count)});
    std::memcpy(array.mutable_data(), output.bytes.data(), output.bytes.size());
    made.outputs.push_back({output.position, output.name, std::move(array)});
  }
  return made;
}

// Takes `name` out of the keywords, as a T.
template <class T> void take(py::dict& keywords, const char* name, T& value) {
  if (!keywords.contains(name))
    return;
  try {
    value = keywords.attr("pop")(name).template cast<T>();
  } catch (const py::cast_error&) {
    throw py::type_error("gputest: option '" + std::string(name) + "' has the wrong type");
  }
}

RunOptions options_of(py::dict keywords) {
  RunOptions options;
  const auto take_sizes = [&](const char* name, std::vector<std::size_t>& into) {
    Sizes given = std::vector<std::size_t>();
    take(keywords, name, given);
    into = sizes(given);
  };
  take_sizes("global_size", options.global_size);
  take_sizes("local_size", options.local_size);
  take_sizes("global_offset", options.global_offset);
  take(keywords, "lock_step", options.lock_step);
  take(keywords, "definitions", options.definitions);
  std::vector<py::object> folders;
  take(keywords, "include_dirs", folders);
  for (const py::object& folder : folders)
    options.include_dirs.emplace_back(path_text(folder));
  take(keywords, "build_options", options.build_options);
  take(keywords, "cl_std", options.cl_std);
  take(keywords, "shared_memory", options.shared_memory);
  take(keywords, "device", options.device);
  take(keywords, "checks", options.checks);
  take(keywords, "own_process", options.own_process);
  take(keywords, "timeout", options.timeout);
  if (keywords.contains("driver"))
    options.driver = path_text(keywords.attr("pop")("driver"));
  if (!keywords.empty())
    throw py::type_error("gputest: '" + std::string(py::str(keywords.begin()->first)) +
                         "' is no option; see help(gputest)");
  return options;
}

PythonResult run(detail::Entry entry, const py::object& source, const std::string& name,
                 const py::args& values, const py::kwargs& keywords) {
  const RunOptions options = options_of(py::dict(keywords.attr("copy")()));
  const py::module_ numpy = py::module_::import("numpy");
  std::vector<py::object> kept; // objects that the arguments refer to
  std::vector<detail::KernelArgument> arguments;
  for (const py::handle value : values) {
    const bool scalar = py::isinstance(value, numpy.attr("generic"));
    kept.push_back(scalar ? py::object(numpy.attr("array")(value))
                          : py::reinterpret_borrow<py::object>(value));
    arguments.push_back(kernel_argument(kept.back(), kept.size() - 1));
  }
  const Source where = source_of(source);
  const Result result = [&] {
    const py::gil_scoped_release others;
    return detail::run(where, entry, name, options, std::move(arguments));
  }();
  return python_result(result, kept);
}

// Returns a text of bytes, because compilers' messages may have any encoding.
py::object text_of(const std::string& bytes) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<py::ssize_t>(bytes.size()), "replace"));
}

// The exceptions of gputest/error.h. An exception is the class of its own C++ type, or of the
// nearest base.
void add_exceptions(py::module_& module) {
  static std::map<std::string, PyObject*> classes; // Python's translators capture nothing
  const auto add = [&](const char* name, const char* base) {
    const std::string full = std::string("gputest.") + name;
    PyObject* const parent = base ? classes.at(base) : PyExc_RuntimeError;
    PyObject* const made = PyErr_NewException(full.c_str(), parent, nullptr);
    if (!made)
      throw py::error_already_set();
    classes[name] = made;
    module.add_object(name, py::reinterpret_borrow<py::object>(made));
  };
  add("Error", nullptr);
  add("UsageError", "Error");
  add("DeviceError", "Error");
  add("OutOfMemory", "DeviceError");
  add("NoDevice", "DeviceError");
  add("BuildError", "DeviceError");
  add("KernelError", "Error");
  add("CheckError", "KernelError");
  add("KernelCrash", "KernelError");

  py::register_exception_translator([](std::exception_ptr thrown) {
    const auto raise = [](const char* name, const Error& error, const char* attribute = nullptr,
                          const py::object& value = py::none()) {
      const py::object exception =
          py::reinterpret_borrow<py::object>(classes.at(name))(text_of(error.what()));
      if (attribute)
        exception.attr(attribute) = value;
      PyErr_SetObject(classes.at(name), exception.ptr());
    };
    try {
      std::rethrow_exception(thrown);
    } catch (const UsageError& error) {
      raise("UsageError", error);
    } catch (const OutOfMemory& error) {
      raise("OutOfMemory", error);
    } catch (const NoDevice& error) {
      raise("NoDevice", error);
    } catch (const BuildError& error) {
      raise("BuildError", error, "log", text_of(error.log));
    } catch (const DeviceError& error) {
      raise("DeviceError", error);
    } catch (const CheckError& error) {
      py::list findings;
      for (const std::string& finding : error.findings)
        findings.append(text_of(finding));
      raise("CheckError", error, "findings", findings);
    } catch (const KernelCrash& error) {
      raise("KernelCrash", error);
    } catch (const KernelError& error) {
      raise("KernelError", error);
    } catch (const Error& error) {
      raise("Error", error);
    }
  });
}

constexpr const char* kRunKernel = R"(run_kernel(source, kernel, *arguments, global_size, **options)

Builds the kernel, launches it, waits, and copies back what it wrote.

source: a path, or gputest.source_text(…). arguments: NumPy arrays and scalars, gputest.out(type, n),
gputest.local(type, n), gputest.value(array), images such as gputest.image2d(array), gputest.sampler(…).
options: local_size, global_offset, lock_step, definitions, include_dirs, build_options, cl_std,
device, checks, own_process, timeout, driver. Sizes are a number or a sequence of up to three.)";

constexpr const char* kRunFunction =
    R"(run_function(source, function, *arguments, global_size, **options)

Calls a function that is no kernel, element by element. Its result is the last argument.)";

} // namespace
} // namespace gputest::python

PYBIND11_MODULE(gputest, module) {
  namespace py = pybind11;
  using namespace gputest::python;
  module.doc() = "Runs kernels from Python's tests, and measures what the tests cover.";
  module.attr("__version__") = GPUTEST_VERSION;
  add_exceptions(module);

  py::class_<gputest::Source>(module, "Source");
  py::class_<LocalMemory>(module, "LocalMemory");
  py::class_<OutputBuffer>(module, "OutputBuffer");
  py::class_<VectorValue>(module, "VectorValue");
  py::class_<PythonResult>(module, "Result")
      .def_readonly("seconds", &PythonResult::seconds, "the launch, on the host's clock")
      .def_readonly("device", &PythonResult::device, "the device's name")
      .def("output", &PythonResult::output, py::arg("which"),
           "the array of the gputest.out at this position, or of this name");

  module.def(
      "source_text",
      [](std::string text, const std::string& name) {
        return gputest::source_text(std::move(text), name);
      },
      py::arg("text"), py::arg("name") = "", "kernels as text; messages call it by the name");
  module.def(
      "local",
      [](const py::object& type, std::size_t count) {
        return LocalMemory{py::dtype::from_args(type), count};
      },
      py::arg("type"), py::arg("count"), "__local memory for so many elements");
  module.def(
      "out",
      [](const py::object& type, std::size_t count) {
        return OutputBuffer{py::dtype::from_args(type), count};
      },
      py::arg("type"), py::arg("count"), "a buffer of so many zeros; see Result.output");
  module.def(
      "value", [](py::array components) { return VectorValue{std::move(components)}; },
      py::arg("components"), "an array by value: the components of a vector, or one struct");
  add_images(module);
  module.def(
      "run_kernel",
      [](const py::object& source, const std::string& kernel, const py::args& arguments,
         const py::kwargs& options) {
        return run(gputest::detail::Entry::Kernel, source, kernel, arguments, options);
      },
      kRunKernel);
  module.def(
      "run_function",
      [](const py::object& source, const std::string& function, const py::args& arguments,
         const py::kwargs& options) {
        return run(gputest::detail::Entry::Function, source, function, arguments, options);
      },
      kRunFunction);
}

// Random calls of the runtime API's memory functions, against plain arrays of bytes on the host:
// linear, pitched, managed, pinned and host memory, arrays of one to three dimensions, symbols;
// copies and sets of one to three dimensions, at once, in streams and in graphs.
//
// memory [<number of sequences> [<first seed>]], or ten times GPUTEST_RANDOM of them: a failure
// names its seed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using Bytes = std::vector<unsigned char>;

static __device__ unsigned char symbol[4096];
static __constant__ unsigned char constant[2048];

__global__ void add(unsigned char* to, unsigned width, size_t pitch, unsigned char by) {
  to[blockIdx.x * pitch + threadIdx.x + blockDim.x * blockIdx.y] += by;
}

// A box of bytes: rows of `width` at `pitch`, `rows` of them in each of `depth` slices.
struct Place {
  std::string name;
  unsigned char* memory = nullptr; // null: an array or a symbol
  cudaArray_t array = nullptr;
  const void* symbol = nullptr;
  size_t width = 0, rows = 1, depth = 1, pitch = 0, element = 1; // width: in bytes
  bool on_host = false;
  Bytes model; // rows without gaps
  size_t size() const { return width * rows * depth; }
  unsigned char& at(size_t x, size_t y, size_t z) { return model[(z * rows + y) * width + x]; }
};

class Sequence {
public:
  explicit Sequence(unsigned seed) : random_(seed), seed_(seed) {}

  bool run() {
    for (cudaStream_t& stream : streams_)
      must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    make_places();
    for (int step = 0; step < 60 && !failed_; ++step) {
      change();
      if (below(4) == 0)
        compare();
    }
    compare();
    for (Place& place : places_)
      free(place);
    for (cudaStream_t stream : streams_)
      must(cudaStreamDestroy(stream), "cudaStreamDestroy");
    return !failed_;
  }

private:
  size_t below(size_t n) { return random_() % n; }

  void must(cudaError_t error, const char* what) {
    if (error != cudaSuccess && !failed_) {
      std::printf("seed %u: %s: %s\n", seed_, what, cudaGetErrorName(error));
      failed_ = true;
    }
  }

  void make_places() {
    for (int i = 0; i < 14; ++i) {
      Place place;
      place.width = 16 * (1 + below(8));
      place.rows = 1 + below(6);
      place.depth = 1 + below(4);
      const size_t kind = i < 11 ? i : below(11);
      place.pitch = place.width;
      void* memory = nullptr;
      if (kind <= 1) {
        place.name = "linear";
        place.pitch += 16 * below(3);
        must(cudaMalloc(&memory, place.pitch * place.rows * place.depth), "cudaMalloc");
      } else if (kind == 2) {
        place.name = "pitched", place.depth = 1;
        must(cudaMallocPitch(&memory, &place.pitch, place.width, place.rows), "cudaMallocPitch");
      } else if (kind == 3) {
        place.name = "3D";
        cudaPitchedPtr pitched;
        must(cudaMalloc3D(&pitched, make_cudaExtent(place.width, place.rows, place.depth)),
             "cudaMalloc3D");
        memory = pitched.ptr, place.pitch = pitched.pitch;
        if (pitched.xsize != place.width || pitched.ysize != place.rows)
          must(cudaErrorUnknown, "cudaMalloc3D says another size");
      } else if (kind == 4) {
        place.name = "managed", place.on_host = true;
        must(cudaMallocManaged(&memory, place.size()), "cudaMallocManaged");
      } else if (kind == 5) {
        place.name = "pinned", place.on_host = true;
        must(cudaMallocHost(&memory, place.size()), "cudaMallocHost");
      } else if (kind == 6) {
        place.name = "host", place.on_host = true;
        memory = std::malloc(place.size());
      } else if (kind == 7) {
        place.name = "registered", place.on_host = true;
        memory = std::malloc(place.size());
        must(cudaHostRegister(memory, place.size(), cudaHostRegisterDefault), "cudaHostRegister");
      } else if (kind == 8) {
        const bool is_constant = i == 8;
        place.name = "symbol", place.rows = place.depth = 1;
        place.width = place.pitch = is_constant ? sizeof constant : sizeof symbol;
        place.symbol = is_constant ? static_cast<const void*>(constant) : symbol;
        if (i > 10)
          continue; // there is one of each
      } else {
        make_array(place, kind == 9 ? 1 + below(2) : 3);
      }
      place.memory = static_cast<unsigned char*>(memory);
      place.model.assign(place.size(), 0);
      places_.push_back(place);
      clear(places_.back());
    }
  }

  void make_array(Place& place, size_t dimensions) {
    static const cudaChannelFormatDesc kFormats[] = {
        cudaCreateChannelDesc<unsigned char>(), cudaCreateChannelDesc<short>(),
        cudaCreateChannelDesc<float>(), cudaCreateChannelDesc<uint2>(),
        cudaCreateChannelDesc<float4>()};
    const cudaChannelFormatDesc& format = kFormats[below(5)];
    place.element = static_cast<size_t>(format.x + format.y + format.z + format.w) / 8;
    const size_t columns = place.width / place.element;
    if (dimensions < 3)
      place.depth = 1;
    if (dimensions < 2)
      place.rows = 1;
    place.name = "array of " + std::to_string(dimensions) + " dimensions";
    if (dimensions == 3)
      must(cudaMalloc3DArray(&place.array, &format,
                             make_cudaExtent(columns, place.rows, place.depth), 0),
           "cudaMalloc3DArray");
    else
      must(cudaMallocArray(&place.array, &format, columns, dimensions == 1 ? 0 : place.rows),
           "cudaMallocArray");
  }

  // Writes zeros by the way that is surest.
  void clear(Place& place) {
    const Bytes zeros(place.size());
    write(place, zeros);
  }

  void write(Place& place, const Bytes& bytes) {
    if (place.symbol) {
      must(cudaMemcpyToSymbol(place.symbol, bytes.data(), place.size()), "cudaMemcpyToSymbol");
      return;
    }
    cudaMemcpy3DParms all = parameters(place, false, 0, 0, 0);
    all.srcPtr = make_cudaPitchedPtr(const_cast<unsigned char*>(bytes.data()), place.width,
                                     place.width, place.rows);
    all.extent = make_cudaExtent(place.width / place.element, place.rows, place.depth);
    if (!place.array)
      all.extent.width = place.width;
    must(cudaMemcpy3D(&all), "cudaMemcpy3D of all");
  }

  Bytes read(Place& place) {
    Bytes bytes(place.size(), 99);
    if (place.symbol) {
      must(cudaMemcpyFromSymbol(bytes.data(), place.symbol, place.size()), "cudaMemcpyFromSymbol");
      return bytes;
    }
    if (place.on_host) {
      std::memcpy(bytes.data(), place.memory, place.size());
      return bytes;
    }
    cudaMemcpy3DParms all = parameters(place, true, 0, 0, 0);
    all.dstPtr = make_cudaPitchedPtr(bytes.data(), place.width, place.width, place.rows);
    all.extent = make_cudaExtent(place.array ? place.width / place.element : place.width,
                                 place.rows, place.depth);
    must(cudaMemcpy3D(&all), "cudaMemcpy3D of all");
    return bytes;
  }

  void compare() {
    must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    for (Place& place : places_) {
      const Bytes now = read(place);
      for (size_t i = 0; i < now.size() && !failed_; ++i)
        if (now[i] != place.model[i]) {
          std::printf("seed %u: byte %zu of %s (%zu x %zu x %zu) is %d and not %d after %s\n",
                      seed_, i, place.name.c_str(), place.width, place.rows, place.depth, now[i],
                      place.model[i], last_.c_str());
          failed_ = true;
        }
    }
  }

  // One side of a 3D copy that begins at a byte of a row, which is the first of an element.
  cudaMemcpy3DParms parameters(Place& place, bool source, size_t x, size_t y, size_t z,
                               size_t element = 1) {
    cudaMemcpy3DParms copy{};
    copy.kind = cudaMemcpyDefault;
    (source ? copy.srcPos : copy.dstPos) = make_cudaPos(x / element, y, z);
    if (place.array)
      (source ? copy.srcArray : copy.dstArray) = place.array;
    else
      (source ? copy.srcPtr : copy.dstPtr) =
          make_cudaPitchedPtr(place.memory, place.pitch, place.width, place.rows);
    return copy;
  }

  // Some calls are made in a stream, at once or in a graph.
  template <typename Call> void in_stream(const char* name, Call&& call) {
    last_ = name;
    cudaStream_t stream = streams_[below(2)];
    if (below(3) != 0) {
      must(call(stream), name);
      must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
      return;
    }
    last_ += " in a graph";
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t made = nullptr;
    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
    must(call(stream), name);
    must(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    must(cudaGraphInstantiate(&made, graph, 0), "cudaGraphInstantiate");
    must(cudaGraphLaunch(made, stream), "cudaGraphLaunch");
    must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    must(cudaGraphExecDestroy(made), "cudaGraphExecDestroy");
    must(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }

  void change() {
    Place &to = places_[below(places_.size())], &from = places_[below(places_.size())];
    switch (below(6)) {
    case 0:
      return set(to);
    case 1:
      return launch(to);
    case 2:
      return fill(to);
    default:
      if (&to != &from)
        copy(to, from);
    }
  }

  void fill(Place& place) {
    last_ = "writing all";
    for (unsigned char& byte : place.model)
      byte = static_cast<unsigned char>(random_());
    if (place.on_host)
      std::memcpy(place.memory, place.model.data(), place.size());
    else
      write(place, place.model);
  }

  void set(Place& place) {
    const auto value = static_cast<unsigned char>(below(256));
    if (place.array || (place.on_host && place.name != "managed" && place.name != "pinned"))
      return;
    if (place.symbol) {
      void* address = nullptr;
      size_t size = 0;
      const size_t at = below(place.width), count = below(place.width - at + 1);
      must(cudaGetSymbolAddress(&address, place.symbol), "cudaGetSymbolAddress");
      must(cudaGetSymbolSize(&size, place.symbol), "cudaGetSymbolSize");
      if (size != place.size())
        must(cudaErrorUnknown, "cudaGetSymbolSize says another size");
      last_ = "cudaMemset of a symbol";
      must(cudaMemset(static_cast<char*>(address) + at, value, count), "cudaMemset");
      std::fill_n(place.model.begin() + static_cast<long>(at), count, value);
      return;
    }
    const size_t x = below(place.width), y = below(place.rows), z = below(place.depth),
                 width = 1 + below(place.width - x), rows = 1 + below(place.rows - y);
    unsigned char* const begin = place.memory + (z * place.rows + y) * place.pitch + x;
    size_t depth = 1;
    switch (below(3)) {
    case 0: // one row
      in_stream("cudaMemsetAsync",
                [&](cudaStream_t stream) { return cudaMemsetAsync(begin, value, width, stream); });
      mark(place, x, y, z, width, 1, 1, value);
      return;
    case 1:
      in_stream("cudaMemset2DAsync", [&](cudaStream_t stream) {
        return cudaMemset2DAsync(begin, place.pitch, value, width, rows, stream);
      });
      break;
    default:
      depth = 1 + below(place.depth - z);
      last_ = "cudaMemset3D";
      must(cudaMemset3D(make_cudaPitchedPtr(begin, place.pitch, place.width, place.rows), value,
                        make_cudaExtent(width, rows, depth)),
           "cudaMemset3D");
    }
    mark(place, x, y, z, width, rows, depth, value);
  }

  static void mark(Place& place, size_t x, size_t y, size_t z, size_t width, size_t rows,
                   size_t depth, unsigned char value) {
    for (size_t k = 0; k < depth; ++k)
      for (size_t j = 0; j < rows; ++j)
        for (size_t i = 0; i < width; ++i)
          place.at(x + i, y + j, z + k) = value;
  }

  void launch(Place& place) {
    if (!place.memory || place.name == "host")
      return;
    const auto by = static_cast<unsigned char>(below(256));
    unsigned char* memory = place.memory;
    if (place.name == "registered") {
      void* device = nullptr;
      must(cudaHostGetDevicePointer(&device, place.memory, 0), "cudaHostGetDevicePointer");
      memory = static_cast<unsigned char*>(device);
    }
    in_stream("a kernel", [&](cudaStream_t stream) {
      add<<<dim3(static_cast<unsigned>(place.rows * place.depth),
                 static_cast<unsigned>(place.width / 16)),
            16, 0, stream>>>(memory, 16, place.pitch, by);
      return cudaGetLastError();
    });
    for (unsigned char& byte : place.model)
      byte = static_cast<unsigned char>(byte + by);
  }

  void copy(Place& to, Place& from);

  void free(Place& place) {
    if (place.array)
      must(cudaFreeArray(place.array), "cudaFreeArray");
    else if (place.name == "pinned")
      must(cudaFreeHost(place.memory), "cudaFreeHost");
    else if (place.on_host && place.name != "managed") {
      if (place.name == "registered")
        must(cudaHostUnregister(place.memory), "cudaHostUnregister");
      std::free(place.memory);
    } else if (!place.symbol)
      must(cudaFree(place.memory), "cudaFree");
  }

  std::mt19937 random_;
  unsigned seed_;
  bool failed_ = false;
  std::string last_;
  std::vector<Place> places_;
  cudaStream_t streams_[2]{};
};

static size_t largest(size_t a, size_t b) {
  while (b != 0)
    std::swap(a %= b, b);
  return a;
}

void Sequence::copy(Place& to, Place& from) {
  if (to.symbol && from.symbol)
    return;
  if (to.symbol || from.symbol) {
    Place &symbol = to.symbol ? to : from, &other = to.symbol ? from : to;
    if (other.array)
      return;
    const size_t at = below(symbol.width), y = below(other.rows), z = below(other.depth),
                 size = std::min(symbol.width - at, 1 + below(other.width));
    unsigned char* const memory = other.memory + (z * other.rows + y) * other.pitch;
    in_stream(to.symbol ? "cudaMemcpyToSymbolAsync" : "cudaMemcpyFromSymbolAsync",
              [&](cudaStream_t stream) {
                return to.symbol ? cudaMemcpyToSymbolAsync(symbol.symbol, memory, size, at,
                                                           cudaMemcpyDefault, stream)
                                 : cudaMemcpyFromSymbolAsync(memory, symbol.symbol, size, at,
                                                             cudaMemcpyDefault, stream);
              });
    for (size_t i = 0; i < size; ++i)
      (to.symbol ? symbol.at(at + i, 0, 0) : other.at(i, y, z)) =
          to.symbol ? other.at(i, y, z) : symbol.at(at + i, 0, 0);
    return;
  }
  if (to.array && from.array && to.element != from.element)
    return;
  const size_t unit = to.element * from.element / largest(to.element, from.element);
  const size_t fx = unit * below(from.width / unit), tx = unit * below(to.width / unit),
               fy = below(from.rows), ty = below(to.rows), fz = below(from.depth),
               tz = below(to.depth);
  const size_t width = unit * (1 + below(std::min(from.width - fx, to.width - tx) / unit));
  size_t rows = 1 + below(std::min(from.rows - fy, to.rows - ty)),
         depth = 1 + below(std::min(from.depth - fz, to.depth - tz));
  const auto address = [](Place& place, size_t x, size_t y, size_t z) {
    return place.memory + (z * place.rows + y) * place.pitch + x;
  };
  const size_t way = below(3);
  if (way == 0 && !to.array && !from.array) {
    rows = depth = 1;
    in_stream("cudaMemcpyAsync", [&](cudaStream_t stream) {
      return cudaMemcpyAsync(address(to, tx, ty, tz), address(from, fx, fy, fz), width,
                             cudaMemcpyDefault, stream);
    });
  } else if (way == 1 && !(to.depth > 1 && to.array) && !(from.depth > 1 && from.array)) {
    depth = 1;
    if (to.array && from.array) {
      last_ = "cudaMemcpy2DArrayToArray";
      must(cudaMemcpy2DArrayToArray(to.array, tx, ty, from.array, fx, fy, width, rows),
           "cudaMemcpy2DArrayToArray");
    } else
      in_stream("a 2D copy", [&](cudaStream_t stream) {
        if (to.array)
          return cudaMemcpy2DToArrayAsync(to.array, tx, ty, address(from, fx, fy, fz), from.pitch,
                                          width, rows, cudaMemcpyDefault, stream);
        if (from.array)
          return cudaMemcpy2DFromArrayAsync(address(to, tx, ty, tz), to.pitch, from.array, fx, fy,
                                            width, rows, cudaMemcpyDefault, stream);
        return cudaMemcpy2DAsync(address(to, tx, ty, tz), to.pitch, address(from, fx, fy, fz),
                                 from.pitch, width, rows, cudaMemcpyDefault, stream);
      });
  } else {
    const size_t element = to.array ? to.element : from.array ? from.element : 1;
    cudaMemcpy3DParms all = parameters(to, false, tx, ty, tz, element);
    const cudaMemcpy3DParms source = parameters(from, true, fx, fy, fz, element);
    all.srcPos = source.srcPos, all.srcPtr = source.srcPtr, all.srcArray = source.srcArray;
    all.extent = make_cudaExtent(width / element, rows, depth);
    in_stream("cudaMemcpy3DAsync",
              [&](cudaStream_t stream) { return cudaMemcpy3DAsync(&all, stream); });
  }
  for (size_t k = 0; k < depth; ++k)
    for (size_t j = 0; j < rows; ++j)
      for (size_t i = 0; i < width; ++i)
        to.at(tx + i, ty + j, tz + k) = from.at(fx + i, fy + j, fz + k);
}

int main(int argc, char** argv) {
  const char* const random = std::getenv("GPUTEST_RANDOM");
  const unsigned count = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1]))
                         : random ? 10 * static_cast<unsigned>(std::atoi(random))
                                  : 100,
                 first = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  unsigned wrong = 0;
  for (unsigned seed = first; seed < first + count; ++seed)
    wrong += !Sequence(seed).run();
  return wrong > 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuRAND's host API.
#include "cuda/libraries/host.h"
#include "cuda/libraries/rand/generators.h"

#include <cmath>
#include <cstdio>

using gputest::cuda::Operand;
using namespace gputest::cuda::libraries;

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_DEFAULT;
  bool is_of_host = false;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0, offset = 0;
  unsigned dimensions = 1;
  std::shared_ptr<rand::Numbers> numbers{}; // null: not made for these settings yet

  bool is_quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
  bool is_long() const {
    return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  }
};

static curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool of_host) {
  if (!generator)
    return CURAND_STATUS_INITIALIZATION_FAILED;
  if (!rand::numbers_of(type, 0, 0, 1))
    return CURAND_STATUS_TYPE_ERROR;
  *generator = new curandGenerator_st{.type = type, .is_of_host = of_host};
  return CURAND_STATUS_SUCCESS;
}

// Sets a value, from which the numbers begin anew.
template <typename T>
static curandStatus_t set(curandGenerator_t generator, T curandGenerator_st::* member, T value) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->*member = value;
  generator->numbers = nullptr;
  return CURAND_STATUS_SUCCESS;
}

static curandStatus_t make(curandGenerator_t generator) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->numbers)
    generator->numbers = rand::numbers_of(generator->type, generator->seed, generator->offset,
                                          generator->dimensions);
  return CURAND_STATUS_SUCCESS;
}

// `multiple`: of how many numbers the count has to be one, where they are pseudorandom.
template <typename T, typename Fill>
static curandStatus_t generate(curandGenerator_t generator, const char* name, T* output,
                               std::size_t count, std::size_t multiple, Fill fill) {
  if (const curandStatus_t status = make(generator))
    return status;
  if (count % (generator->is_quasi() ? generator->dimensions : multiple) != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (count == 0)
    return CURAND_STATUS_SUCCESS;
  if (generator->is_of_host) {
    fill(*generator->numbers, std::span<T>(output, count));
    return CURAND_STATUS_SUCCESS;
  }
  const cudaError_t error = gputest_cuda_host_work(
      generator->stream, {.call = std::string(name) + "()",
                          .operands = {written(array_of("outputPtr", output, count * sizeof(T)))},
                          .find_more = {},
                          .run = [=, numbers = generator->numbers] {
                            fill(*numbers, std::span<T>(at(output), count));
                          }});
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

template <typename T>
static curandStatus_t normal(curandGenerator_t generator, const char* name, T* output,
                             std::size_t count, T mean, T deviation, bool of_logarithm) {
  return generate(generator, name, output, count, 2, [=](rand::Numbers& numbers, std::span<T> out) {
    numbers.normal(out);
    for (T& value : out) {
      value = mean + deviation * value;
      if (of_logarithm)
        value = std::exp(value);
    }
  });
}

template <typename Word, std::size_t Bits>
static curandStatus_t directions(Word (**vectors)[Bits], bool is_known) {
  static Word all[rand::kSobolDimensions][Bits];
  if (!vectors || !is_known)
    return CURAND_STATUS_OUT_OF_RANGE;
  const auto& known = rand::directions_of<Word, Bits>();
  for (std::size_t i = 0; i < rand::kSobolDimensions; ++i)
    std::copy(known[i].begin(), known[i].end(), all[i]);
  *vectors = all;
  return CURAND_STATUS_SUCCESS;
}

extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  delete generator; // queued work keeps the numbers
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  if (!version)
    return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  if (!value)
    return CURAND_STATUS_OUT_OF_RANGE;
  *value = type == MAJOR_VERSION   ? CURAND_VER_MAJOR
           : type == MINOR_VERSION ? CURAND_VER_MINOR
                                   : CURAND_VER_PATCH;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  if (generator && generator->is_quasi())
    return CURAND_STATUS_TYPE_ERROR;
  return set(generator, &curandGenerator_st::seed, seed);
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (generator &&
      (generator->type == CURAND_RNG_PSEUDO_MTGP32 || generator->type == CURAND_RNG_PSEUDO_MT19937))
    return CURAND_STATUS_TYPE_ERROR;
  return set(generator, &curandGenerator_st::offset, offset);
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  return generator->is_quasi() == (order == CURAND_ORDERING_QUASI_DEFAULT)
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_OUT_OF_RANGE;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned dimensions) {
  if (generator && !generator->is_quasi())
    return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > 20000)
    return CURAND_STATUS_OUT_OF_RANGE;
  if (dimensions > rand::kSobolDimensions) {
    std::fprintf(stderr,
                 "gputest-cuda: error: cuRAND's sequences of Sobol have at most %zu "
                 "dimensions here\n",
                 rand::kSobolDimensions);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  return set(generator, &curandGenerator_st::dimensions, dimensions);
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return make(generator);
}
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* output, size_t count) {
  if (generator && generator->is_long())
    return CURAND_STATUS_TYPE_ERROR;
  return generate(generator, __func__, output, count, 1,
                  [](rand::Numbers& numbers, std::span<unsigned> out) { numbers.bits(out); });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* output,
                                      size_t count) {
  if (generator && !generator->is_long())
    return CURAND_STATUS_TYPE_ERROR;
  return generate(
      generator, __func__, output, count, 1,
      [](rand::Numbers& numbers, std::span<unsigned long long> out) { numbers.long_bits(out); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t count) {
  return generate(generator, __func__, output, count, 1,
                  [](rand::Numbers& numbers, std::span<float> out) { numbers.uniform(out); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                           size_t count) {
  return generate(generator, __func__, output, count, 1,
                  [](rand::Numbers& numbers, std::span<double> out) { numbers.uniform(out); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t count,
                                    float mean, float deviation) {
  return normal(generator, __func__, output, count, mean, deviation, false);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                          double mean, double deviation) {
  return normal(generator, __func__, output, count, mean, deviation, false);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t count,
                                       float mean, float deviation) {
  return normal(generator, __func__, output, count, mean, deviation, true);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                             size_t count, double mean, double deviation) {
  return normal(generator, __func__, output, count, mean, deviation, true);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* output, size_t count,
                                     double lambda) {
  if (!(lambda > 0))
    return CURAND_STATUS_OUT_OF_RANGE;
  return generate(
      generator, __func__, output, count, 1,
      [=](rand::Numbers& numbers, std::span<unsigned> out) { numbers.poisson(out, lambda); });
}
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t** vectors,
                                           curandDirectionVectorSet_t set) {
  return directions(vectors, set == CURAND_DIRECTION_VECTORS_32_JOEKUO6);
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t** vectors,
                                           curandDirectionVectorSet_t set) {
  return directions(vectors, set == CURAND_DIRECTION_VECTORS_64_JOEKUO6);
}
}

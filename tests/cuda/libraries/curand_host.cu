// cuRAND's host API: the numbers of its documented example, moments of all generators, and mistakes.
// Link: -lcurand
#include <curand.h>

#include "check.h"

#include <cmath>
#include <vector>

#define PASSES(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

template <typename T> static void has_moments(const char* what, const std::vector<T>& values, double mean, double variance) {
  double sum = 0, squares = 0;
  const double count = double(values.size());
  for (T value : values) {
    sum += double(value) - mean;
    squares += (double(value) - mean) * (double(value) - mean);
  }
  if (std::abs(sum / count) > 4.5 * std::sqrt(variance / count) || std::abs(squares / count / variance - 1) > 0.15) {
    std::printf("%s: mean %g, variance %g\n", what, mean + sum / count, squares / count);
    ++wrong;
  }
}
template <typename T> static std::vector<T> values(const Device<T>& device) {
  std::vector<T> result(size_t(device.count));
  cudaMemcpy(result.data(), device.data, result.size() * sizeof(T), cudaMemcpyDeviceToHost);
  return result;
}

static void distributions(curandRngType_t type) {
  curandGenerator_t generator = nullptr;
  PASSES(curandCreateGenerator(&generator, type));
  if (type < CURAND_RNG_QUASI_DEFAULT)
    PASSES(curandSetPseudoRandomGeneratorSeed(generator, 77));
  else
    PASSES(curandSetQuasiRandomGeneratorDimensions(generator, 4));
  constexpr int kCount = 8192;
  const Device<float> floats(kCount);
  const Device<double> doubles(kCount);
  const Device<unsigned> counts(kCount);
  PASSES(curandGenerateUniform(generator, floats.data, kCount));
  has_moments("uniform", values(floats), 0.5, 1 / 12.0);
  PASSES(curandGenerateUniformDouble(generator, doubles.data, kCount));
  has_moments("uniform, double", values(doubles), 0.5, 1 / 12.0);
  PASSES(curandGenerateNormal(generator, floats.data, kCount, 3, 2));
  has_moments("normal", values(floats), 3, 4);
  PASSES(curandGenerateNormalDouble(generator, doubles.data, kCount, 3, 2));
  has_moments("normal, double", values(doubles), 3, 4);
  PASSES(curandGenerateLogNormal(generator, floats.data, kCount, 0, 0.25f));
  has_moments("log-normal", values(floats), std::exp(0.03125), std::exp(0.0625) * (std::exp(0.0625) - 1));
  PASSES(curandGenerateLogNormalDouble(generator, doubles.data, kCount, 0, 0.25));
  has_moments("log-normal, double", values(doubles), std::exp(0.03125), std::exp(0.0625) * (std::exp(0.0625) - 1));
  for (double lambda : {3.0, 300.0}) {
    PASSES(curandGeneratePoisson(generator, counts.data, kCount, lambda));
    has_moments("Poisson", values(counts), lambda, lambda);
  }
  PASSES(curandDestroyGenerator(generator));
}

// Numbers that cuRAND of CUDA 13.0 gives with the seed 1.
static void known_numbers() {
  struct Known {
    curandRngType_t type;
    unsigned first, of_4096, of_19999;
  };
  const Known all[]{{CURAND_RNG_PSEUDO_XORWOW, 2898200796u, 3111669439u, 990028534u},
                    {CURAND_RNG_PSEUDO_MRG32K3A, 1860102995u, 3151284512u, 3830832317u},
                    {CURAND_RNG_PSEUDO_PHILOX4_32_10, 3823634032u, 3379837800u, 864827982u}};
  for (const Known& known : all) {
    curandGenerator_t generator = nullptr;
    PASSES(curandCreateGenerator(&generator, known.type));
    PASSES(curandSetPseudoRandomGeneratorSeed(generator, 1));
    const Device<unsigned> bits(20000);
    PASSES(curandGenerate(generator, bits.data, 20000));
    const std::vector<unsigned> got = values(bits);
    EXPECT(got[0] == known.first && got[4096] == known.of_4096 && got[19999] == known.of_19999);
    PASSES(curandDestroyGenerator(generator));
  }
}

int main() {
  known_numbers();
  for (curandRngType_t type :
       {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10,
        CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SOBOL64})
    distributions(type);

  curandGenerator_t generator = nullptr;
  const float documented[] = {0.1455f, 0.8202f, 0.5504f, 0.2948f, 0.9147f, 0.8690f, 0.3219f, 0.7829f, 0.0113f, 0.2855f};
  PASSES(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  PASSES(curandSetPseudoRandomGeneratorSeed(generator, 1234ULL));
  const Device<float> ten(10);
  PASSES(curandGenerateUniform(generator, ten.data, 10));
  for (int i = 0; i < 10; ++i)
    EXPECT(std::abs(ten[i] - documented[i]) < 6e-5f);
  // An offset is as many numbers that are left out.
  const Device<unsigned> all(10000), some(2000);
  for (curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    curandGenerator_t one = nullptr;
    PASSES(curandCreateGenerator(&one, type));
    PASSES(curandSetPseudoRandomGeneratorSeed(one, 9));
    PASSES(curandGenerate(one, all.data, 10000));
    PASSES(curandSetGeneratorOffset(one, 5003));
    PASSES(curandGenerate(one, some.data, 2000));
    const std::vector<unsigned> whole = values(all), part = values(some);
    EXPECT(std::vector<unsigned>(whole.begin() + 5003, whole.begin() + 7003) == part);
    PASSES(curandDestroyGenerator(one));
  }
  // The same numbers in the host's memory.
  curandGenerator_t of_host = nullptr;
  std::vector<float> host(10);
  PASSES(curandCreateGeneratorHost(&of_host, CURAND_RNG_PSEUDO_DEFAULT));
  PASSES(curandSetPseudoRandomGeneratorSeed(of_host, 1234ULL));
  PASSES(curandGenerateUniform(of_host, host.data(), 10));
  EXPECT(host == values(ten));
  PASSES(curandDestroyGenerator(of_host));
  // Sobol's points, dimension after dimension: each fills each half of its interval.
  curandGenerator_t quasi = nullptr;
  PASSES(curandCreateGenerator(&quasi, CURAND_RNG_QUASI_SOBOL32));
  PASSES(curandSetQuasiRandomGeneratorDimensions(quasi, 20));
  const Device<unsigned> points(20 * 256);
  PASSES(curandGenerate(quasi, points.data, 20 * 256));
  const std::vector<unsigned> of_points = values(points);
  for (int dimension = 0; dimension < 20; ++dimension) {
    std::vector<int> hits(256);
    for (int i = 0; i < 256; ++i)
      ++hits[of_points[size_t(dimension) * 256 + i] >> 24];
    EXPECT(hits == std::vector<int>(256, 1));
  }
  curandDirectionVectors32_t* directions = nullptr;
  PASSES(curandGetDirectionVectors32(&directions, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  EXPECT(directions[0][0] == 0x80000000u && directions[1][1] == 0xc0000000u && directions[2][1] == 0xc0000000u);
  PASSES(curandDestroyGenerator(quasi));
  // Mistakes
  EXPECT(curandGenerateNormal(generator, ten.data, 9, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT(curandGeneratePoisson(generator, all.data, 9, -1) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandGenerateUniform(nullptr, ten.data, 9) == CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandSetQuasiRandomGeneratorDimensions(generator, 3) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandCreateGenerator(&quasi, static_cast<curandRngType_t>(7)) == CURAND_STATUS_TYPE_ERROR);
  PASSES(curandDestroyGenerator(generator));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}

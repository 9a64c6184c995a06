#include <CL/cl.h>

#include <algorithm>
#include <cmath>

// In double precision with the library's error function, and the put without the parity.
void black_scholes_reference(const cl_float* strike, const cl_float* years, cl_float* call,
                             cl_float* put, double spot, double rate, double volatility,
                             cl_uint n) {
  const auto normal = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  for (cl_uint i = 0; i < n; ++i) {
    const double time = static_cast<double>(years[i]);
    const double price = static_cast<double>(strike[i]) * std::exp(-rate * time);
    const double spread = volatility * std::sqrt(time);
    if (spread == 0) {
      call[i] = static_cast<cl_float>(std::max(spot - price, 0.0));
      put[i] = static_cast<cl_float>(std::max(price - spot, 0.0));
    } else {
      const double up = (std::log(spot / price) + spread * spread / 2) / spread;
      const double down = (std::log(spot / price) - spread * spread / 2) / spread;
      call[i] = static_cast<cl_float>(spot * normal(up) - price * normal(down));
      put[i] = static_cast<cl_float>(price * normal(-down) - spot * normal(-up));
    }
  }
}

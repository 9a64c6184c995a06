/* Coefficients of formula 26.2.17 of Abramowitz and Stegun; error below 7.5e-8. */
#define P 0.2316419f
#define POLYNOMIAL(k)                                                          \
    ((k) * (0.319381530f + (k) * (-0.356563782f + (k) * (1.781477937f +        \
     (k) * (-1.821255978f + (k) * 1.330274429f)))))
#define ONE_OVER_SQRT_2PI 0.3989422804f

/* The standard normal distribution function. */
static float normal(const float x)
{
    const float tail = ONE_OVER_SQRT_2PI * exp(-0.5f * x * x)
                     * POLYNOMIAL(1.0f / (1.0f + P * fabs(x)));
    if (x < 0.0f)
        return tail;
    else
        return 1.0f - tail;
}

/* Prices of n European options on one asset that pays no dividend: strike price, and years until it
 * expires, for each; spot price, yearly interest rate and volatility for all. */
__kernel void black_scholes(__global const float *restrict strike, __global const float *restrict years,
                            __global float *restrict call, __global float *restrict put,
                            const float spot, const float rate, const float volatility,
                            const uint n)
{
    const size_t i = get_global_id(0);
    if (i >= n)
        return;

    const float discounted = strike[i] * exp(-rate * years[i]);
    float value;
    if (years[i] <= 0.0f || volatility <= 0.0f) {
        /* Nothing is uncertain any more. */
        value = fmax(spot - discounted, 0.0f);
    } else {
        const float spread = volatility * sqrt(years[i]);
        const float d1 = log(spot / discounted) / spread + 0.5f * spread;
        value = spot * normal(d1) - discounted * normal(d1 - spread);
    }
    call[i] = value;
    put[i] = value - spot + discounted; /* put-call parity */
}

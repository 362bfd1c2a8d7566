// jace runtime: the regularised incomplete gamma and beta functions, in f64 for every dtype; not vectorised.
// Special cases as in JAX's own lowering (jax/_src/lax/special.py); the rest is built around densities without
// cancellation (C. Loader, "Fast and accurate computation of binomial probabilities", 2000).
#ifndef JACE_RUNTIME_INCOMPLETE
#define JACE_RUNTIME_INCOMPLETE

namespace jace::incomplete {

constexpr f64 tiny = 1e-290, eps = 1.1102230246251565e-16, two_pi = 6.283185307179586;

// log(1 + u) - u. Near 0 by log(1 + u) = 2 atanh(v) = 2v + 2v^3 (1/3 + v^2/5 + ...), v = u / (2 + u), 2v - u = -uv.
static inline f64 log1p_minus(f64 u) {
  if (!(abs(u) < 0.4)) return libm::log1p(u) - u;
  f64 v = u / (2 + u), w = v * v, sum = 0;
#pragma GCC unroll 17
  for (int k = 16; k >= 0; --k) sum = sum * w + 1.0 / (2 * k + 3);
  return v * (2 * w * sum - u);
}
// log Gamma(z) - ((z - 1/2) log z - z + log(2 pi) / 2): Stirling's series beyond 16, the recurrence leads there.
static inline f64 stirling_error(f64 z) {
  f64 sum = 0;
  for (; z < 16; z += 1) sum += (z + 0.5) * libm::log1p(1 / z) - 1;
  f64 w = 1 / (z * z);
  return sum + (1.0 / 12 - w * (1.0 / 360 - w * (1.0 / 1260 - w * (1.0 / 1680 - w / 1188)))) / z;
}
// Gamma(1 + a), and its logarithm for 0 < a <= 1.25: near 0 by the Taylor series, (-1)^k zeta(k) / k from k = 30 to 2.
static inline f64 gamma_of_next(f64 a) { return a < 1 ? libm::tgamma(1 + a) : a * libm::tgamma(a); }
static inline f64 log_gamma_of_next(f64 a) {
  constexpr f64 coefficients[] = {
    0.03333333336437758, -0.034482758684919304, 0.035714285847333355, -0.037037037312989324,
    0.03846153903467518, -0.04000000119214014, 0.04166666915034121, -0.04347826605304026, 0.04545455629320467,
    -0.047619070330142226, 0.05000004769810169, -0.05263167937961666, 0.055555767627403614,
    -0.058823978658684585, 0.06250095514121304, -0.06666870588242046, 0.07143294629536133, -0.0769325164113522,
    0.083353840546109, -0.09095401714582904, 0.1000994575127818, -0.11133426586956469, 0.12550966952474304,
    -0.1440498967688461, 0.1695571769974082, -0.20738555102867398, 0.27058080842778454, -0.40068563438653143,
    0.8224670334241132};
  if (a > 0.25) return libm::lgamma(1 + a);
  f64 sum = 0;
#pragma GCC unroll 29
  for (f64 c : coefficients) sum = sum * a + c;
  return a * (a * sum - 0.57721566490153286);
}

// ---- gamma -----------------------------------------------------------------------------------------
// x^a exp(-x) / Gamma(a + 1)
static inline f64 poisson_density(f64 a, f64 x) {
  if (a < 100 && x < 700) return libm::pow(x, a) * libm::exp(-x) / gamma_of_next(a);
  f64 u = (x - a) / a, q = x / a, scale = libm::exp(-stirling_error(a)) / sqrt_of(two_pi * a);
  if (abs(u) < 0.4) return scale * libm::exp(a * log1p_minus(u));
  f64 log_q = libm::log(q);
  if (a * (u - log_q) > 760) return 0;
  // (x / a)^a exp(a - x), the rounding errors of both quotient and difference put right; in eight factors if large
  f64 d = a - x, back = d - a, lost = (a - (d - back)) - (x + back);
  f64 correction = a * (__builtin_fma(-q, a, x) / x) + lost;
  f64 parts = a * abs(log_q) > 700 || abs(d) > 700 ? 8 : 1;
  f64 factor = libm::pow(q, a / parts) * libm::exp(d / parts) * libm::exp(correction / parts);
  if (parts == 8) factor *= factor, factor *= factor, factor *= factor;
  return scale * factor;
}
// P(a, x) / density
static inline f64 gamma_series(f64 a, f64 x) {
  f64 term = 1, sum = 1;
  for (int n = 1; n < 10000 && term > eps / 4 * sum; ++n) sum += term *= x / (a + n);
  return sum;
}
// Q(a, x) / (a density): Legendre's continued fraction by Lentz's method
static inline f64 gamma_fraction(f64 a, f64 x) {
  f64 b = x + 1 - a, c = 1 / tiny, d = 1 / b, value = d, change = 0;
  for (int n = 1; n < 10000 && abs(change - 1) > eps; ++n) {
    f64 numerator = -n * (n - a);
    b += 2;
    d = numerator * d + b, c = b + numerator / c;
    d = 1 / (abs(d) < tiny ? tiny : d), c = abs(c) < tiny ? tiny : c;
    value *= change = d * c;
  }
  return value;
}
// Q(a, x) for a small a and x <= 1.1, by -expm1(log E) - E a sum, E = x^a / Gamma(a + 1), where 1 - P would cancel
static inline f64 gamma_complement(f64 a, f64 x) {
  f64 log_e = a * libm::log(x) - log_gamma_of_next(a), term = 1, sum = 0;
  for (int n = 1; n < 40; ++n) {
    term *= -x / n;
    sum += term / (a + n);
  }
  return -libm::expm1(log_e) - libm::exp(log_e) * a * sum;
}
// For a > 200 and x within 30 % of a: the integral of the density from x outwards, divided by density(x) a / x; by
// Gauss and Legendre's 32 points over the stretch in which it falls to 1e-18.
static inline f64 gamma_tail(f64 a, f64 x, bool lower) {
  constexpr f64 nodes[] = {
    0.04830766568773832, 0.1444719615827965, 0.23928736225213706, 0.33186860228212767, 0.42135127613063533,
    0.5068999089322294, 0.5877157572407623, 0.6630442669302152, 0.7321821187402897, 0.7944837959679424,
    0.84936761373257, 0.8963211557660521, 0.9349060759377397, 0.9647622555875064, 0.9856115115452684,
    0.9972638618494816};
  constexpr f64 weights[] = {
    0.0965400885147278, 0.09563872007927486, 0.09384439908080457, 0.09117387869576389, 0.08765209300440381,
    0.08331192422694675, 0.07819389578707031, 0.0723457941088485, 0.06582222277636185, 0.058684093478535544,
    0.050998059262376175, 0.04283589802222668, 0.03427386291302143, 0.02539206530926206, 0.01627439473090567,
    0.007018610009470096};
  f64 k = abs(x - a) / sqrt_of(a), length = 1.25 * (sqrt_of(k * k + 83) - k) * sqrt_of(a) / x;
  length = lower ? -(length < 0.999 ? length : 0.999) : length;
  f64 sum = 0;
  for (int n = 0; n < 16; ++n)
    for (int side = -1; side <= 1; side += 2) {
      f64 v = length * (0.5 + 0.5 * side * nodes[n]);
      sum += weights[n] * libm::exp((a - 1) * log1p_minus(v) + (a - 1 - x) * v);
    }
  return 0.5 * abs(length) * sum;
}
// P(a, x), or Q(a, x)
static inline f64 regularized_gamma(f64 a, f64 x, bool upper) {
  if (!(x >= 0) || !(a >= 0) || (a == 0 && x == 0)) return nan<f64>();
#if JACE_XLA >= 1100
  bool undecided = a == inf<f64>() && x == inf<f64>();
#else
  bool undecided = a == inf<f64>() && x >= 1 && x < inf<f64>();
#endif
  if ((a == 0 && !upper && x < 1) || undecided) return nan<f64>();
  if (x == 0 || a == inf<f64>()) return x == inf<f64>() ? !upper : upper;
  if (a == 0 || x == inf<f64>()) return !upper;
  f64 value;
  bool lower = true;  // which of the two `value` is
  if (a > 200 && abs(x - a) < 0.3 * a) {
    lower = x < a;
    value = a * poisson_density(a, x) * gamma_tail(a, x, lower);
  } else if (x > 1.1 && x >= a) {
    lower = false;
    value = a * poisson_density(a, x) * gamma_fraction(a, x);
  } else if (upper && x <= 1.1 && (x <= 0.5 ? a * libm::log(x) >= -0.4 : a <= 1.1 * x)) {
    lower = false;
    value = gamma_complement(a, x);
  } else {
    value = poisson_density(a, x) * gamma_series(a, x);
  }
  return lower == upper ? 1 - value : value;
}

// ---- beta ------------------------------------------------------------------------------------------
static inline f64 log_ratio_minus(f64 u, f64 ratio) {  // ratio = 1 + u
  return abs(u) < 0.4 ? log1p_minus(u) : libm::log(ratio) - u;
}
// x^a (1 - x)^b Gamma(a + b) / (Gamma(a) Gamma(b))
static inline f64 beta_density(f64 a, f64 b, f64 x) {
  f64 n = a + b, y = 1 - x;
  if (n < 150) {
    f64 back = n - a, lost = (a - (n - back)) + (b - back);
    f64 gamma_of_sum = libm::tgamma(n) * (1 + lost * digamma_of(n));
    f64 power = x < 0.5 ? libm::exp(b * libm::log1p(-x)) : libm::pow(y, b);
    return libm::pow(x, a) * power * (gamma_of_sum / libm::tgamma(a) / libm::tgamma(b));
  }
  f64 shift = __builtin_fma(n, x, -a);
  f64 exponent = stirling_error(n) - stirling_error(a) - stirling_error(b);
  exponent += a * log_ratio_minus(shift / a, n * x / a) + b * log_ratio_minus(-shift / b, n * y / b);
  return libm::exp(exponent) * sqrt_of(a * (b / n) / two_pi);
}
// I_x(a, b) a / density by the continued fraction of DLMF 8.17.22, Lentz's method
static inline f64 beta_fraction(f64 a, f64 b, f64 x) {
  f64 c = 1, d = 1 - (a + b) * x / (a + 1), change = 0;
  d = 1 / (abs(d) < tiny ? tiny : d);
  f64 value = d;
  for (int m = 1; m < 100000 && abs(change - 1) > eps; ++m) {
    f64 even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    f64 odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + even * d, c = 1 + even / c;
    d = 1 / (abs(d) < tiny ? tiny : d), c = abs(c) < tiny ? tiny : c;
    value *= d * c;
    d = 1 + odd * d, c = 1 + odd / c;
    d = 1 / (abs(d) < tiny ? tiny : d), c = abs(c) < tiny ? tiny : c;
    value *= change = d * c;
  }
  return value;
}
static inline f64 regularized_beta(f64 a, f64 b, f64 x) {
  bool at_zero = a == 0 || b == inf<f64>(), at_one = b == 0 || a == inf<f64>();  // where all the mass is
  if (!(a >= 0) || !(b >= 0) || !(x >= 0) || !(x <= 1) || (at_zero && at_one)) return nan<f64>();
  if (at_zero) return x != 0;
  if (at_one) return x == 1;
  if (x == 0 || x == 1) return x;
  f64 density = beta_density(a, b, x);
  if (x < (a + 1) / (a + b + 2)) return density / a * beta_fraction(a, b, x);
  return 1 - density / b * beta_fraction(b, a, 1 - x);
}

}  // namespace jace::incomplete

namespace jace {
template <class T>
static inline T igamma_(T a, T x) {
  return from_double<T>(incomplete::regularized_gamma(f64(flush(widen(a))), f64(flush(widen(x))), false));
}
template <class T>
static inline T igammac_(T a, T x) {
  return from_double<T>(incomplete::regularized_gamma(f64(flush(widen(a))), f64(flush(widen(x))), true));
}
template <class T>
static inline T betainc_(T a, T b, T x) {
  return from_double<T>(
      incomplete::regularized_beta(f64(flush(widen(a))), f64(flush(widen(b))), f64(flush(widen(x)))));
}
}  // namespace jace
#endif

// jace runtime, part 7: special functions. 16-bit and (but for erf_inv, lgamma) f32 compute in f64.
#ifndef JACE_RUNTIME_SPECIAL
#define JACE_RUNTIME_SPECIAL

namespace jace {

template <class T>
static inline T from_double(f64 x) {
  if constexpr (same<T, f64>) return x;
  else return T(f32(x));
}

// ---- lgamma: glibc's (XLA's Lanczos sum is off by millions of ULP near 1 and 2); not vectorised ----
template <class T>
static inline T lgamma_(T x) {
  return T(libm::lgamma(flush(widen(x))));
}

// ---- erf_inv -------------------------------------------------------------------------------------
// M. Giles, "Approximating the erfinv function": about 3e-7 relative on |x| <= 1 - 6e-8.
template <class F>
static inline F erf_inv_start(F x) {
  F w = -libm::log((F(1) - x) * (F(1) + x)), c = w - F(2.5), t = sqrt_of(w) - F(3);
  F p = F(2.81022636e-08), q = F(-0.000200214257);
  p = F(3.43273939e-07) + p * c, q = F(0.000100950558) + q * t;
  p = F(-3.5233877e-06) + p * c, q = F(0.00134934322) + q * t;
  p = F(-4.39150654e-06) + p * c, q = F(-0.00367342844) + q * t;
  p = F(0.00021858087) + p * c, q = F(0.00573950773) + q * t;
  p = F(-0.00125372503) + p * c, q = F(-0.0076224613) + q * t;
  p = F(-0.00417768164) + p * c, q = F(0.00943887047) + q * t;
  p = F(0.246640727) + p * c, q = F(1.00167406) + q * t;
  p = F(1.50140941) + p * c, q = F(2.83297682) + q * t;
  return x * select(w < F(5), p, q);
}
// The f64 start: Giles's polynomial in the middle; in the tails one in sqrt(-log(1 - x^2)) up to x = 1 - 2^-53, fitted
// at Chebyshev nodes to 3e-6 relative.
static inline f64 erf_inv_start_f64(f64 x) {
  f64 w = -libm::log((1 - x) * (1 + x)), c = w - 2.5, t = sqrt_of(w) - 4;
  f64 p = 2.81022636e-08, q = -3.24848936e-06;
  p = 3.43273939e-07 + p * c, q = 2.154058e-05 + q * t;
  p = -3.5233877e-06 + p * c, q = -5.34762665e-05 + q * t;
  p = -4.39150654e-06 + p * c, q = 6.75863518e-05 + q * t;
  p = 0.00021858087 + p * c, q = -9.54823668e-05 + q * t;
  p = -0.00125372503 + p * c, q = 0.000299112536 + q * t;
  p = -0.00417768164 + p * c, q = -0.000873863515 + q * t;
  p = 0.246640727 + p * c, q = 0.00126865652 + q * t;
  p = 1.50140941 + p * c, q = 1.00949214 + q * t;
  q = 3.83978341 + q * t;
  return x * select(w < 5, p, q);
}
// One Halley step on erf(y) = a, a in [0, 1); through erfc where 1 - a is exact.
static inline f64 erf_inv_step(f64 a, f64 y) {
  f64 residual = select(a < 0.5, libm::erf(y) - a, (1 - a) - libm::erfc(y));
  f64 d = residual / (1.12837916709551257390 * libm::exp(-y * y));
  return y - d / (1 + y * d);
}
static inline f64 erf_inv_of(f64 x) {
  f64 a = abs(x), y = erf_inv_step(a, erf_inv_step(a, erf_inv_start_f64(a)));
  y = select(a < 1e-10, a * 0.88622692545275801365, y);  // the steps would work on subnormal residuals
  y = copysign_of(select(a == 1, inf<f64>(), y), x);
  return select(a <= 1, y, nan<f64>());
}
static inline f32 erf_inv_of(f32 x) {
  f32 a = abs(x), y = copysign_of(select(a == 1, inf<f32>(), erf_inv_start(a)), x);
  return select(a <= 1, y, nan<f32>());
}
template <class T>
static inline T erf_inv_(T x) {
  return T(erf_inv_of(widen(x)));
}

// ---- digamma --------------------------------------------------------------------------------------
// psi(x) / (x - root) on [1, 2] as a polynomial in x - 1.5 (Chebyshev nodes, 3e-18 relative; computed to 60 digits):
// relative accuracy at the one positive root. The recurrence leads there from below 5; above it leads to 10, where the
// asymptotic series begins. The reflection psi(1 - x) - pi / tan(pi x) below 0.
static inline f64 digamma_middle(f64 x) {  // x in [1, 2]
  static constexpr f64 near_root[] = {
      0.00011881232908510335, -0.000178218854885592319, 9.65364626141006168e-05, -0.000144806433680616131,
      0.000323959454013451983, -0.000485950392200362562, 0.000690925576128298636, -0.00103645848173128379,
      0.00156336963136535051, -0.00234549473973808352, 0.00351810656380247234, -0.00527993725553270825,
      0.00792702179686815398, -0.0119082201059597162, 0.0179072483173132958, -0.0269757966597870551,
      0.0407608339408460828, -0.061922133275488312, 0.0949887244528903816, -0.148404923053880915,
      0.240542484240786983, -0.4236274212814606, 0.95105587603183288};
  f64 t = x - 1.5, p = near_root[0];
#pragma GCC unroll 23
  for (int k = 1; k < 23; ++k) p = p * t + near_root[k];
  return p * ((x - 1.4616321449683622) - 9.549995429965697e-17);
}
static inline f64 digamma_large(f64 x) {  // x > 5
  f64 y = x, sum = 0;
#pragma GCC unroll 5
  for (int k = 0; k < 5; ++k) {
    bool small = y < 10;
    sum += small ? 1 / y : 0;
    y += small ? 1 : 0;
  }
  f64 z = 1 / (y * y);
  f64 tail = 1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z / 12)))));
  return libm::log(y) - (sum + (0.5 / y + z * tail));
}
static inline f64 digamma_of(f64 x) {
  bool reflect = x < 0, low = (x >= 0) & (x < 1);
  f64 y = reflect ? 1 - x : x;
  f64 m = low ? y + 1 : y, middle = low ? -1 / y : 0;  // psi(x + 1) = psi(x) + 1 / x, into [1, 2]
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    bool above = m > 2;
    m -= above ? 1 : 0;
    middle += above ? 1 / m : 0;
  }
  f64 value = select(y <= 5, middle + digamma_middle(m), digamma_large(y));
  // pi / tan(pi f) by the complement for |f| > 1/4, where its relative error would be that of a difference
  f64 fraction = x - rint_of(x), size = abs(fraction), pi = 3.14159265358979323846;
  bool outer = size > 0.25;
  f64 tangent = libm::tan(pi * (outer ? 0.5 - size : size));
  f64 cotangent = copysign_of(select(outer, tangent, 1 / tangent), fraction);
  f64 result = select(reflect, value - pi * cotangent, value);
  result = select(x == inf<f64>(), x, result);
  result = select((x <= 0) & (fraction == 0), nan<f64>(), result);
#if JACE_XLA >= 1100
  result = select(x == 0, -inf<f64>(), result);
#endif
  return result;
}
template <class T>
static inline T digamma_(T x) {
  return from_double<T>(digamma_of(f64(widen(x))));
}

// ---- exponentially scaled Bessel functions ---------------------------------------------------------
// Up to 8 the power series, all of whose terms are positive: exp(-x) sum (x/2)^2k / k!^2, and with k!(k+1)! for I1.
// Beyond, Chebyshev series in 16 / x - 1 of the functions times sqrt(x), computed to 50 digits, highest order first.
template <int ORDER>
static inline f64 bessel_series(f64 x) {
  struct table {
    f64 coefficients[28];
    constexpr table() : coefficients{} {
      f64 factorials = 1;
      for (int k = 0; k < 28; ++k) {
        factorials *= k == 0 ? 1 : f64(k) * f64(k + ORDER);
        coefficients[k] = 1 / factorials;
      }
    }
  };
#ifndef __CUDA_ARCH__  // whose static tables would be zeros
  static
#endif
      constexpr table t;
  f64 z = x * x / 4, sum = t.coefficients[27];
#pragma GCC unroll 28
  for (int k = 26; k >= 0; --k) sum = sum * z + t.coefficients[k];
  return sum;
}

template <int N>
static inline f64 chebyshev(const f64 (&coefficients)[N], f64 twice_t) {
  f64 b0 = coefficients[0], b1 = 0, b2 = 0;
#pragma GCC unroll 32
  for (int k = 1; k < N; ++k) {
    b2 = b1;
    b1 = b0;
    b0 = twice_t * b1 - b2 + coefficients[k];
  }
  return 0.5 * (b0 - b2);
}
template <class T>
static inline T bessel_i0e_(T value) {
  f64 x = abs(f64(widen(value)));
  static constexpr f64 beyond[] = {
      -1.938426454160906e-19, -2.4887098371508075e-19, 1.193650890845982e-18, 9.921475412173699e-19,
      -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17,
      -2.8276239805165836e-16, -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15,
      -9.554846698828307e-15, -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13,
      7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11, -3.1499165279632416e-11,
      1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-09, 2.266668990498178e-08,
      2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05, 0.0033691164782556943,
      0.8044904110141088};
  f64 near = bessel_series<0>(x) * libm::exp(-x), far = chebyshev(beyond, 32 / x - 2) / sqrt_of(x);
  return from_double<T>(select(x <= 8, near, far));
}
template <class T>
static inline T bessel_i1e_(T value) {
  f64 w = f64(widen(value)), x = abs(w);
  static constexpr f64 beyond[] = {
      2.0269443840532852e-19, 2.4142767194548486e-19, -1.242193275194891e-18, -9.314178867326884e-19,
      7.517296310842105e-18, 4.414348323071708e-18, -4.6503053684893586e-17, -3.209525921993424e-17,
      2.96262899764595e-16, 3.3082023109209285e-16, -1.8803547755107825e-15, -3.8144030724370075e-15,
      1.0420276984128802e-14, 4.272440016711951e-14, -2.1015418427726643e-14, -4.0835511110921974e-13,
      -7.198551776245908e-13, 2.0356285441470896e-12, 1.4125807436613782e-11, 3.2526035830154884e-11,
      -1.8974958123505413e-11, -5.589743462196584e-10, -3.835380385964237e-09, -2.6314688468895196e-08,
      -2.512236237870209e-07, -3.882564808877691e-06, -0.00011058893876262371, -0.009761097491361469,
      0.7785762350182801};
  f64 near = bessel_series<1>(x) * (x / 2) * libm::exp(-x), far = chebyshev(beyond, 32 / x - 2) / sqrt_of(x);
  return from_double<T>(copysign_of(select(x <= 8, near, far), w));
}

// ---- Hurwitz zeta and polygamma --------------------------------------------------------------------
// Euler-Maclaurin summation, as in the Cephes library (Moshier): terms (q + k)^-x until q + k is above 10, then the
// tail's asymptotic series. Domain as in XLA: NaN for x < 1; for q <= 0 only an integer x has a value, at the
// poles (integer q) infinity for an even x.
static inline f64 zeta_of(f64 x, f64 q) {
  f64 sum = 0;
  int terms = 10 + (q < 0 ? int(q > -65536 ? -q : 65536.0) : 0);
  auto term = [=](f64 k) {  // (q + k)^-x; the power would multiply the rounding error of the sum by x
    f64 a = q + k, part = a - q, lost = (q - (a - part)) + (k - part), power = libm::pow(a, -x);
    return lost == 0 ? power : power * (1 - x * lost / a);
  };
  for (int k = 0; k < terms; ++k) sum += term(k);
  f64 a = q + terms, power = term(terms), z = 1 / (a * a), tail = 0;
  // B(2k) / (2k)!, highest first
  constexpr f64 coefficients[] = {
      -1.3954464685812523e-19, 5.509002828360229e-18, -2.174868698558062e-16, 8.586062056277845e-15,
      -3.3896802963225828e-13, 1.3382536530684679e-11, -5.284190138687493e-10, 2.08767569878681e-08,
      -8.267195767195768e-07, 3.306878306878307e-05, -0.001388888888888889, 0.08333333333333333};
#pragma GCC unroll 11
  for (int k = 0; k < 11; ++k) tail = (coefficients[k] + tail) * ((x + (22 - 2 * k)) * (x + (21 - 2 * k)) * z);
  f64 value = sum + (power * (a / (x - 1)) + power * (0.5 + x / a * (coefficients[11] + tail)));
  value = power == 0 ? sum : value;
  bool whole = x == floor_of(x), even = libm::fmod(x, 2.0) == 0;
  value = ((q <= 0) & !whole) | (x < 1) ? nan<f64>() : value;
  value = (q <= 0) & (q == floor_of(q)) ? (whole & even ? inf<f64>() : nan<f64>()) : value;
  return x == 1 ? inf<f64>() : (x != x) | (q != q) ? nan<f64>() : value;
}
template <class T>
static inline T zeta_(T x, T q) {
  return from_double<T>(zeta_of(f64(widen(x)), f64(widen(q))));
}
// (-1)^(n + 1) n! zeta(n + 1, x), of which the sign has no limit for large n
static inline f64 polygamma_of(f64 n, f64 x) {
  f64 sign = libm::fmod(n, 2.0) == 0 ? -1 : 1;
  f64 value = sign * libm::tgamma(n + 1) * zeta_of(n + 1, x);
  value = n == 0 ? digamma_of(x) : value;
  return (n < 0) | (n != floor_of(n)) | (n == inf<f64>()) ? nan<f64>() : value;
}
template <class T>
static inline T polygamma_(T n, T x) {
  return from_double<T>(polygamma_of(f64(widen(n)), f64(widen(x))));
}

}  // namespace jace
#endif

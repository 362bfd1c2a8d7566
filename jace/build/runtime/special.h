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
  int sign_of_gamma;
  if constexpr (same<T, f64>) return jace_lgamma_r(flush(x), &sign_of_gamma);
  else return T(jace_lgammaf_r(flush(widen(x)), &sign_of_gamma));
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
// One Halley step on erf(y) = a, a in [0, 1); through erfc where 1 - a is exact.
static inline f64 erf_inv_step(f64 a, f64 y) {
  f64 residual = select(a < 0.5, libm::erf(y) - a, (1 - a) - libm::erfc(y));
  f64 d = residual / (1.12837916709551257390 * libm::exp(-y * y));
  return y - d / (1 + y * d);
}
static inline f64 erf_inv_of(f64 x) {
  f64 a = abs(x), y = erf_inv_step(a, erf_inv_step(a, erf_inv_start(a)));
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

// ---- digamma: recurrence up to 10, then the asymptotic series; reflection below 0 ------------------
static inline f64 digamma_of(f64 x) {
  bool reflect = x < 0.5;
  f64 y = reflect ? 1 - x : x, sum = 0;
#pragma GCC unroll 10
  for (int k = 0; k < 10; ++k) {
    bool small = y < 10;
    sum -= small ? 1 / y : 0;
    y += small ? 1 : 0;
  }
  f64 z = 1 / (y * y);
  f64 tail = 1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z / 12)))));
  f64 value = sum + libm::log(y) - 0.5 / y - z * tail;
  f64 fraction = x - rint_of(x), mirrored = value - 3.14159265358979323846 / libm::tan(3.14159265358979323846 * fraction);
  f64 result = select(reflect, mirrored, value);
  result = select(x == inf<f64>(), x, result);
  return select((x <= 0) & (fraction == 0), nan<f64>(), result);
}
template <class T>
static inline T digamma_(T x) {
  return from_double<T>(digamma_of(f64(widen(x))));
}

// ---- exponentially scaled Bessel functions ---------------------------------------------------------
// Chebyshev series: `near` of exp(-x) I0(x), exp(-x) I1(x) / x on [0, 8], `far` of the functions times
// sqrt(x) on [8, inf] in 16 / x - 1; computed to 50 digits, highest order first.
static constexpr f64 i0e_near[] = {
    -7.057100692457294e-20, 5.669178006921496e-19, -4.4153416464793395e-18, 3.3307945188222384e-17,
    -2.431279846547955e-16, 1.715391285555133e-15, -1.1685332877993451e-14, 7.676185498604936e-14,
    -4.856446783111929e-13, 2.95505266312964e-12, -1.726826291441556e-11, 9.675809035373237e-11,
    -5.189795601635263e-10, 2.6598237246823866e-09, -1.300025009986248e-08, 6.046995022541919e-08,
    -2.670793853940612e-07, 1.1173875391201037e-06, -4.4167383584587505e-06, 1.6448448070728896e-05,
    -5.754195010082104e-05, 0.00018850288509584165, -0.0005763755745385824, 0.0016394756169413357,
    -0.004324309995050576, 0.010546460394594998, -0.02373741480589947, 0.04930528423967071,
    -0.09490109704804764, 0.17162090152220877, -0.3046826723431984, 0.6767952744094761};
static constexpr f64 i0e_far[] = {
    -1.938426454160906e-19, -2.4887098371508075e-19, 1.193650890845982e-18, 9.921475412173699e-19,
    -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17,
    -2.8276239805165836e-16, -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15,
    -9.554846698828307e-15, -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13,
    7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11, -3.1499165279632416e-11,
    1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-09, 2.266668990498178e-08,
    2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05, 0.0033691164782556943,
    0.8044904110141088};
static constexpr f64 i1e_near[] = {
    4.379302756655071e-20, -3.541581772542136e-19, 2.7779141127610464e-18, -2.111421214358166e-17,
    1.5536319577362005e-16, -1.1055969477353862e-15, 7.600684294735408e-15, -5.042185504727912e-14,
    3.223793365945575e-13, -1.9839743977649436e-12, 1.1736186298890901e-11, -6.663489723502027e-11,
    3.625590281552117e-10, -1.8872497517228294e-09, 9.381537386495773e-09, -4.445059128796328e-08,
    2.0032947535521353e-07, -8.568720264695455e-07, 3.4702513081376785e-06, -1.3273163656039436e-05,
    4.781565107550054e-05, -0.00016176081582589674, 0.0005122859561685758, -0.0015135724506312532,
    0.004156422944312888, -0.010564084894626197, 0.024726449030626516, -0.05294598120809499,
    0.1026436586898471, -0.17641651835783406, 0.25258718644363365};
static constexpr f64 i1e_far[] = {
    2.0269443840532852e-19, 2.4142767194548486e-19, -1.242193275194891e-18, -9.314178867326884e-19,
    7.517296310842105e-18, 4.414348323071708e-18, -4.6503053684893586e-17, -3.209525921993424e-17,
    2.96262899764595e-16, 3.3082023109209285e-16, -1.8803547755107825e-15, -3.8144030724370075e-15,
    1.0420276984128802e-14, 4.272440016711951e-14, -2.1015418427726643e-14, -4.0835511110921974e-13,
    -7.198551776245908e-13, 2.0356285441470896e-12, 1.4125807436613782e-11, 3.2526035830154884e-11,
    -1.8974958123505413e-11, -5.589743462196584e-10, -3.835380385964237e-09, -2.6314688468895196e-08,
    -2.512236237870209e-07, -3.882564808877691e-06, -0.00011058893876262371, -0.009761097491361469,
    0.7785762350182801};

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
  f64 near = chebyshev(i0e_near, x / 2 - 2), far = chebyshev(i0e_far, 32 / x - 2) / sqrt_of(x);
  return from_double<T>(x <= 8 ? near : far);
}
template <class T>
static inline T bessel_i1e_(T value) {
  f64 w = f64(widen(value)), x = abs(w);
  f64 near = chebyshev(i1e_near, x / 2 - 2) * x, far = chebyshev(i1e_far, 32 / x - 2) / sqrt_of(x);
  return from_double<T>(copysign_of(x <= 8 ? near : far, w));
}

}  // namespace jace
#endif

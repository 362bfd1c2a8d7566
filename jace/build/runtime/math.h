// jace runtime, part 5: real transcendental functions. f16 and bf16 compute in f32 and round once.
// Names end in an underscore: the plain ones may be macros or functions of the C library.
#ifndef JACE_RUNTIME_MATH
#define JACE_RUNTIME_MATH

namespace jace {

#define JACE_UNARY(NAME)                  \
  template <class T>                      \
  static inline T NAME##_(T x) {          \
    return T(libm::NAME(widen(x)));       \
  }
JACE_UNARY(exp)
JACE_UNARY(expm1)
JACE_UNARY(log1p)
JACE_UNARY(sin)
JACE_UNARY(cos)
JACE_UNARY(tan)
JACE_UNARY(asin)
JACE_UNARY(acos)
JACE_UNARY(atan)
JACE_UNARY(sinh)
JACE_UNARY(cosh)
JACE_UNARY(asinh)
JACE_UNARY(acosh)
JACE_UNARY(atanh)
JACE_UNARY(cbrt)
JACE_UNARY(erf)
JACE_UNARY(erfc)
#undef JACE_UNARY

// tanh by the Cephes library's formulas (Moshier): a rational function near 0, else by exp. One vectorized exp
// costs a third of libmvec's tanh, and the scalar remainder of a short loop a quarter of glibc's. The argument is
// capped where tanh is 1 to the last bit: exp would take its slow path for overflow.
static inline f64 tanh_of(f64 x) {
  f64 a = __builtin_fabs(x), z = x * x;
  f64 p = ((-9.64399179425052238628e-1 * z - 9.92877231001918586564e1) * z - 1.61468768441708447952e3) * z;
  f64 q = ((z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3) * z + 4.84406305325125486048e3;
  f64 near = a + a * (p / q);
  f64 far = 1 - 2 / (libm::exp(select(a > 22, 44.0, 2 * a)) + 1);
  return copysign_of(select(a < 0.625, near, far), x);
}
static inline f32 tanh_of(f32 x) {
  f32 a = __builtin_fabsf(x), z = x * x;
  f32 p = (((-5.70498872745e-3f * z + 2.06390887954e-2f) * z - 5.37397155531e-2f) * z + 1.33314422036e-1f) * z;
  f32 near = a + a * ((p - 3.33332819422e-1f) * z);
  f32 far = 1 - 2 / (libm::exp(select(a > 22.0f, 44.0f, 2 * a)) + 1);
  return copysign_of(select(a < 0.625f, near, far), x);
}
template <class T>
static inline T tanh_(T x) {
  return T(tanh_of(widen(x)));
}

// A subnormal as the zero it is to arithmetic, for functions that look at the bits.
template <class F>
static inline F flush(F x) {
  return x == 0 ? copysign_of(F(0), x) : x;
}
template <class T>
static inline T log_(T x) {
  return T(libm::log(flush(widen(x))));
}
// JAX lowers it to this product.
template <class T>
static inline T log2_(T x) {
  return mul(real_constant<T>(1.4426950408889634), log_(x));
}
// JAX lowers exp2 to exp(log(2) x), rounding to T at each step: with 16 bits that is far from 2^x, and
// it is what every JAX program sees. With 32 and 64 bits ours is 2^x.
template <class T>
static inline T exp2_(T x) {
  if constexpr (sizeof(T) == 2) return exp_(mul(real_constant<T>(0.69314718055994530942), x));
  else return libm::exp2(x);
}
template <class T>
static inline T atan2_(T y, T x) {
  return T(libm::atan2(widen(y), widen(x)));
}
template <class T>
static inline T pow_(T x, T y) {
  return T(libm::pow(widen(x), widen(y)));
}
template <class T>
static inline T sqrt_(T x) {
  return T(sqrt_of(widen(x)));
}
template <class T>
static inline T rsqrt_(T x) {
  auto w = widen(x);
  return T(decltype(w)(1) / sqrt_of(w));
}
template <class T>
static inline T logistic_(T x) {  // each operation rounds to T, as JAX lowers it
  return div(T(1.0f), add(T(1.0f), exp_(neg(x))));
}

}  // namespace jace
#endif

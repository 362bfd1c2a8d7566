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
JACE_UNARY(tanh)
JACE_UNARY(asinh)
JACE_UNARY(acosh)
JACE_UNARY(atanh)
JACE_UNARY(cbrt)
JACE_UNARY(erf)
JACE_UNARY(erfc)
#undef JACE_UNARY

// A subnormal as the zero it is to arithmetic, for functions that look at the bits.
template <class F>
static inline F flush(F x) {
  return x == 0 ? copysign_of(F(0), x) : x;
}
template <class T>
static inline T log_(T x) {
  return T(libm::log(flush(widen(x))));
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

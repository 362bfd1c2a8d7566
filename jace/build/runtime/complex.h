// jace runtime, part 6: complex functions, on the C library's (accurate, C99 special cases).
#ifndef JACE_RUNTIME_COMPLEX
#define JACE_RUNTIME_COMPLEX

namespace jace {

template <class R>
static inline complex<R> scale_complex(complex<R> a, R by) {
  return {a.re * by, a.im * by};
}
// Smith's algorithm: the larger component of the divisor leads, so nothing overflows early.
template <class R>
static inline complex<R> divide_complex(complex<R> a, complex<R> b) {
  bool by_re = abs(b.re) >= abs(b.im);
  R big = by_re ? b.re : b.im, small = by_re ? b.im : b.re;
  R ratio = small / big, denominator = big + small * ratio;
  R re = by_re ? a.re + a.im * ratio : a.re * ratio + a.im;
  R im = by_re ? a.im - a.re * ratio : a.im * ratio - a.re;
  return {re / denominator, im / denominator};
}

#define JACE_COMPLEX_UNARY(NAME)                     \
  template <class R>                                 \
  static inline complex<R> NAME##_(complex<R> x) {   \
    return libm::c##NAME(x);                         \
  }
JACE_COMPLEX_UNARY(exp)
JACE_COMPLEX_UNARY(log)
JACE_COMPLEX_UNARY(sqrt)
JACE_COMPLEX_UNARY(sin)
JACE_COMPLEX_UNARY(cos)
JACE_COMPLEX_UNARY(tan)
JACE_COMPLEX_UNARY(sinh)
JACE_COMPLEX_UNARY(cosh)
JACE_COMPLEX_UNARY(tanh)
JACE_COMPLEX_UNARY(asin)
JACE_COMPLEX_UNARY(acos)
JACE_COMPLEX_UNARY(atan)
JACE_COMPLEX_UNARY(asinh)
JACE_COMPLEX_UNARY(acosh)
JACE_COMPLEX_UNARY(atanh)
#undef JACE_COMPLEX_UNARY

template <class R>
static inline complex<R> exp2_(complex<R> x) {
  return exp_(scale_complex(x, R(0.693147180559945309417)));
}
// expm1(x + iy) = (expm1(x) cos y + (cos y - 1)) + i exp(x) sin y, with cos y - 1 = -2 sin(y/2)^2
template <class R>
static inline complex<R> expm1_(complex<R> x) {
  R half = libm::sin(x.im / 2), grown = libm::expm1(x.re);
  return {grown * libm::cos(x.im) - 2 * half * half, (grown + 1) * libm::sin(x.im)};
}
// log1p(x + iy) = log1p(x (2 + x) + y^2) / 2 near 0 (where the sum is small), log|1 + z| elsewhere
template <class R>
static inline complex<R> log1p_(complex<R> x) {
  R near = x.re * (2 + x.re) + x.im * x.im;
  R far = libm::log(libm::hypot(1 + x.re, x.im));
  return {select(abs(near) < R(0.5), libm::log1p(near) / 2, far), libm::atan2(x.im, 1 + x.re)};
}
template <class R>
static inline complex<R> pow_(complex<R> x, complex<R> y) {
  return libm::cpow(x, y);
}
template <class R>
static inline complex<R> rsqrt_(complex<R> x) {
  return divide_complex(complex<R>{1, 0}, libm::csqrt(x));
}
template <class R>
static inline complex<R> logistic_(complex<R> x) {
  return divide_complex(complex<R>{1, 0}, add(complex<R>{1, 0}, exp_(neg(x))));
}
template <class R>
static inline complex<R> conj_(complex<R> x) {
  return {x.re, -x.im};
}
static inline c64 conj_(f32 x) { return {x, 0}; }
static inline c128 conj_(f64 x) { return {x, 0}; }

}  // namespace jace
#endif

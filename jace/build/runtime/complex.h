// jace runtime, part 6: complex functions, on the C library's (accurate, C99 special cases).
#ifndef JACE_RUNTIME_COMPLEX
#define JACE_RUNTIME_COMPLEX

namespace jace {

template <class R>
static inline complex<R> scale_complex(complex<R> a, R by) {
  return {a.re * by, a.im * by};
}
// Contracted as XLA contracts it: the product that is added or subtracted is the rounded one.
template <class R>
static inline complex<R> multiply_complex(complex<R> a, complex<R> b) {
#ifdef __FMA__
  return {fma_of(a.re, b.re, -(a.im * b.im)), fma_of(a.re, b.im, a.im * b.re)};
#else
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
#endif
}
// |inf + NaN i| is NaN in XLA, inf in C.
template <class R>
static inline R absolute_complex(complex<R> a) {
  R size = libm::hypot(a.re, a.im);
  return select((a.re != a.re) | (a.im != a.im), nan<R>(), size);
}
template <class R>
static inline R one_if_infinite(R x) {
  return copysign_of(abs(x) == inf<R>() ? R(1) : R(0), x);
}
// Smith's algorithm: the larger component of the divisor leads, so nothing overflows early. Where it
// gives NaN in both parts, the three special cases of C99's Annex G as XLA orders them.
template <class R>
static inline complex<R> divide_complex(complex<R> a, complex<R> b) {
  bool by_re = !(abs(b.re) < abs(b.im));
  R big = by_re ? b.re : b.im, small = by_re ? b.im : b.re;
  R ratio = small / big, denominator = big + small * ratio;
  R re = by_re ? a.re + a.im * ratio : a.re * ratio + a.im;
  R im = by_re ? a.im - a.re * ratio : a.im * ratio - a.re;
  re /= denominator, im /= denominator;

  bool a_infinite = (abs(a.re) == inf<R>()) | (abs(a.im) == inf<R>()), a_finite = is_finite(a.re) & is_finite(a.im);
  bool b_infinite = (abs(b.re) == inf<R>()) | (abs(b.im) == inf<R>()), b_finite = is_finite(b.re) & is_finite(b.im);
  bool by_zero = (b.re == 0) & (b.im == 0) & ((a.re == a.re) | (a.im == a.im));
  R a_re = one_if_infinite(a.re), a_im = one_if_infinite(a.im), b_re = one_if_infinite(b.re), b_im = one_if_infinite(b.im);
  bool both_nan = (re != re) & (im != im), zero = both_nan & a_finite & b_infinite, grows = both_nan & a_infinite & b_finite;
  re = zero ? 0 * (a.re * b_re + a.im * b_im) : re;
  im = zero ? 0 * (a.im * b_re - a.re * b_im) : im;
  re = grows ? inf<R>() * (a_re * b.re + a_im * b.im) : re;
  im = grows ? inf<R>() * (a_im * b.re - a_re * b.im) : im;
  R infinite = copysign_of(inf<R>(), b.re);
  re = both_nan & by_zero ? infinite * a.re : re;
  im = both_nan & by_zero ? infinite * a.im : im;
  return {re, im};
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

// jace runtime, part 6: complex functions, on the C library's (accurate, C99 special cases).
#ifndef JACE_RUNTIME_COMPLEX
#define JACE_RUNTIME_COMPLEX

namespace jace {

// Contracted as XLA contracts it: the product that is added or subtracted is the rounded one.
template <class R>
static inline complex<R> multiply_complex(complex<R> a, complex<R> b) {
#if defined(__FMA__) && JACE_XLA >= 1200
  return {fma_of(a.re, b.re, -(a.im * b.im)), fma_of(a.re, b.im, a.im * b.re)};
#elif defined(__FMA__)
  return {fma_of(a.re, b.re, -(a.im * b.im)), fma_of(a.im, b.re, a.re * b.im)};
#else
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
#endif
}
// XLA's real part is a sum times a difference: no square overflows, and nothing cancels near the diagonals.
template <class R>
static inline complex<R> square_(complex<R> x) {
  bool on_diagonal = is_finite(x.re) & (abs(x.re) == abs(x.im));
  R re = (x.re - x.im) * (x.re + x.im), im = R(2) * (x.re * x.im);
  return {select(on_diagonal, R(0), re), im};
}
// |inf + NaN i| is inf in C, and in XLA from jaxlib 0.12 on; NaN before.
template <class R>
static inline R absolute_complex(complex<R> a) {
  R size = libm::hypot(a.re, a.im);
#if JACE_XLA < 1200
  size = select((a.re != a.re) | (a.im != a.im), nan<R>(), size);
#endif
  return size;
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

// ---- functions: the C library's where its special cases are XLA's, else written out --------------
// XLA drops the sign of a zero imaginary part (so sqrt(-1 - 0i) is +i) and answers NaN + NaN i more
// often than C99.
// XLA takes signs from comparisons, which neither a zero nor NaN has: an imaginary part without them.
template <class R>
static inline R signless(R x) {
  return x == 0 ? R(0) : x != x ? nan<R>() : x;
}
template <class R>
static inline complex<R> signless(complex<R> x) {
  return {x.re, signless(x.im)};
}
template <class R>
static inline complex<R> nan_if(bool condition, complex<R> x) {
  return {select(condition, nan<R>(), x.re), select(condition, nan<R>(), x.im)};
}
template <class R>
static inline bool has_nan(complex<R> x) {
  return (x.re != x.re) | (x.im != x.im);
}
template <class R>
static inline complex<R> exp_(complex<R> x) {
  R half = libm::exp(x.re / 2), cs = libm::cos(x.im), sn = libm::sin(x.im), size = libm::exp(x.re);
  bool split = (size == inf<R>()) & (x.re != size);  // overflows, but the product may not
  R re = select(split, half * cs * half, size * cs), im = select(split, half * sn * half, size * sn);
  return {re, select(x.im == 0, R(0), im)};
}
template <class R>
static inline complex<R> exp2_(complex<R> x) {  // JAX lowers it to exp(log(2) x)
  return exp_(multiply_complex(complex<R>{R(0.693147180559945309417), 0}, x));
}
template <class R>
static inline complex<R> log_(complex<R> x) {
  return nan_if(has_nan(x), libm::clog(x));
}
template <class R>
static inline complex<R> log2_(complex<R> x) {  // JAX multiplies both parts
  complex<R> l = log_(x);
  return {R(1.4426950408889634) * l.re, R(1.4426950408889634) * l.im};
}
template <class R>
static inline complex<R> sqrt_(complex<R> x) {
  return nan_if(has_nan(x), libm::csqrt(signless(x)));
}
template <class R>
static inline complex<R> rsqrt_(complex<R> x) {
  complex<R> r = divide_complex(complex<R>{1, 0}, libm::csqrt(x));  // on the cut the sign of a zero counts
  r.im = r.im == 0 ? -copysign_of(R(0), x.im) : r.im;
  bool infinite = (abs(x.re) == inf<R>()) | ((abs(x.im) == inf<R>()) & (x.re != x.re));
  r = nan_if(has_nan(x), r);
  r = select(infinite, complex<R>{copysign_of(R(0), x.re), -copysign_of(R(0), x.im)}, r);
  return select((x.re == 0) & (x.im == 0), complex<R>{inf<R>(), nan<R>()}, r);
}
// JAX's own formulas, through expm1 so that nothing cancels near 0.
template <class R>
static inline complex<R> sin_(complex<R> x) {
  R sn = libm::sin(x.re), cs = libm::cos(x.re), up = libm::expm1(x.im), down = libm::expm1(-x.im);
  R re = sn * ((up + down + 2) / 2), im = cs * ((up - down) / 2);
  return {select(x.re == 0, R(0), re), im};
}
template <class R>
static inline complex<R> cos_(complex<R> x) {
  R sn = libm::sin(x.re), cs = libm::cos(x.re), up = libm::expm1(x.im), down = libm::expm1(-x.im);
  R re = cs * ((up + down + 2) / 2), im = -sn * ((up - down) / 2);
  return {re, select(x.re == 0, R(0), im)};
}
template <class R>
static inline complex<R> sinh_(complex<R> x) {
  complex<R> r = libm::csinh(x);
  return nan_if(!is_finite(x.im), complex<R>{x.re == 0 ? R(0) : r.re, x.im == 0 ? R(0) : r.im});
}
template <class R>
static inline complex<R> cosh_(complex<R> x) {
  complex<R> r = libm::ccosh(x);
  return nan_if(!is_finite(x.im), complex<R>{r.re, (x.re == 0) | (x.im == 0) ? R(0) : r.im});
}
template <class R>
static inline complex<R> tanh_(complex<R> x) {
  complex<R> r = libm::ctanh(signless(x));
  r.im = (abs(x.re) == inf<R>()) & !is_finite(x.im) ? R(0) : r.im;
  return nan_if((x.re == 0) & !is_finite(x.im), r);
}
template <class R>
static inline complex<R> tan_(complex<R> x) {
  complex<R> r = tanh_(complex<R>{-x.im, x.re});
  return {r.im, -r.re};
}
// expm1(x + iy) = (expm1(x) cos y + (cos y - 1)) + i exp(x) sin y, with cos y - 1 = -2 sin(y/2)^2
template <class R>
static inline complex<R> expm1_(complex<R> x) {
  R half = libm::sin(x.im / 2), grown = libm::expm1(x.re);
  R re = grown * libm::cos(x.im) - 2 * half * half, im = (grown + 1) * libm::sin(x.im);
  return {re + R(0), select(x.im == 0, R(0), im)};
}
// log1p(x + iy) = log1p(x (2 + x) + y^2) / 2 near 0 (where the sum is small), log|1 + z| elsewhere
template <class R>
static inline complex<R> log1p_(complex<R> x) {
  R near = x.re * (2 + x.re) + x.im * x.im;
  R far = libm::log(libm::hypot(1 + x.re, x.im));
  R re = select(abs(near) < R(0.5), libm::log1p(near) / 2, far), im = libm::atan2(x.im, 1 + x.re);
  return nan_if(has_nan(x), complex<R>{re, im});
}
// |x|^c exp(-d arg x) at angle c arg x + d log|x|; for c64 in f64, because the angle may be large.
static inline c128 pow_(c128 x, c128 y) {
  f64 size = libm::hypot(x.re, x.im), angle = libm::atan2(x.im, x.re);
  f64 scale = libm::pow(size, y.re) * libm::exp(-y.im * angle), turn = y.re * angle + y.im * libm::log(size);
  c128 r = {scale * libm::cos(turn), scale * libm::sin(turn)};
  bool real_power = y.im == 0, of_zero = (x.re == 0) & (x.im == 0), of_infinity = (x.re == inf<f64>()) & (x.im == 0);
  r = select(real_power & ((of_zero & (y.re > 0)) | (of_infinity & (y.re < 0))), c128{0, 0}, r);
  r = select(real_power & of_infinity & (y.re > 0), c128{inf<f64>(), 0}, r);
  return select((real_power & (y.re == 0)) | ((x.re == 1) & (x.im == 0)), c128{1, 0}, r);
}
static inline c64 pow_(c64 x, c64 y) {
  c128 r = pow_(c128{x.re, x.im}, c128{y.re, y.im});
  return {f32(r.re), f32(r.im)};
}
template <class R>
static inline complex<R> logistic_(complex<R> x) {
  return divide_complex(complex<R>{1, 0}, add(complex<R>{1, 0}, exp_(neg(x))));
}
template <class R>
static inline bool zero_and_nan(R x, R y) {
  return (x == 0) & (y != y);
}
template <class R>
static inline complex<R> asin_(complex<R> x) {
  return nan_if(zero_and_nan(x.re, x.im), libm::casin(signless(x)));
}
template <class R>
static inline complex<R> acos_(complex<R> x) {
  return nan_if(zero_and_nan(x.re, x.im), libm::cacos(signless(x)));
}
template <class R>
static inline complex<R> acosh_(complex<R> x) {
  return nan_if(zero_and_nan(x.re, x.im), libm::cacosh(signless(x)));
}
template <class R>
static inline complex<R> asinh_(complex<R> x) {
  return nan_if(zero_and_nan(x.im, x.re), libm::casinh(complex<R>{signless(x.re), x.im}));
}
// The formulas of StableHLO's decomposition (the functional_algorithms project), whose special cases are not C99's:
// signs come from comparisons, so that a zero counts as positive and NaN as negative, and far out the imaginary part
// is half of pi.
template <class R>
static inline complex<R> atanh_(complex<R> z) {
  constexpr R far = same<R, f32> ? R(281474976710656.0) : R(8.1129638414606718e31);
  constexpr R ratio = same<R, f32> ? R(16777218) : R(9007199254740994);
  R x = abs(z.re), y = abs(z.im), below = 1 - x;
  bool near = (x < far) & (y < far), infinite = (x == inf<R>()) | (y == inf<R>());
  R beyond = 1 / ((x / z.im + z.im / x) * z.im);
  beyond = select(infinite, R(0), beyond);
  beyond = select(y * ratio < x, 1 / x, beyond);
  R q = select(near, x / (below * below + y * y), beyond);
  R re = (z.re >= 0 ? R(1) : R(-1)) * libm::log1p(4 * q) / 4;
  R pi = R(3.14159265358979323846), half_turn = z.im >= 0 ? pi : -pi;
  R im = select(near, libm::atan2(z.im + z.im, below * (x + 1) - y * y), half_turn) / 2;
  return {re, im};
}
template <class R>
static inline complex<R> atan_(complex<R> z) {
  complex<R> w = atanh_(complex<R>{-z.im, z.re});
  return {w.im, -w.re};
}
// -i log((x + iy) / sqrt(x^2 + y^2)), with products of i, so that 0 times an infinity is NaN, and a root of which the
// sign of a zero counts
template <class R>
static inline complex<R> atan2_(complex<R> y, complex<R> x) {
  const complex<R> i{0, 1}, minus_i{0, -1};
  complex<R> root = libm::csqrt(add(multiply_complex(x, x), multiply_complex(y, y)));
  complex<R> l = log_(divide_complex(add(x, multiply_complex(i, y)), root));
  return multiply_complex(minus_i, l);
}
template <class R>
static inline complex<R> conj_(complex<R> x) {
  return {x.re, -x.im};
}
static inline c64 conj_(f32 x) { return {x, 0}; }
static inline c128 conj_(f64 x) { return {x, 0}; }

}  // namespace jace
#endif

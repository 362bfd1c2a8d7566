// jace runtime, part 3: arithmetic, comparison, selection and bits, with XLA's edge semantics.
// Branch-free wherever a select will do: a branch keeps a loop scalar.
#ifndef JACE_RUNTIME_ARITH
#define JACE_RUNTIME_ARITH

namespace jace {

// ---- single instructions ---------------------------------------------------------------------
static inline f32 floor_of(f32 x) { return __builtin_floorf(x); }
static inline f64 floor_of(f64 x) { return __builtin_floor(x); }
static inline f32 ceil_of(f32 x) { return __builtin_ceilf(x); }
static inline f64 ceil_of(f64 x) { return __builtin_ceil(x); }
static inline f32 rint_of(f32 x) { return __builtin_rintf(x); }
static inline f64 rint_of(f64 x) { return __builtin_rint(x); }
static inline f32 trunc_of(f32 x) { return __builtin_truncf(x); }
static inline f64 trunc_of(f64 x) { return __builtin_trunc(x); }
static inline f32 copysign_of(f32 x, f32 y) { return __builtin_copysignf(x, y); }
static inline f64 copysign_of(f64 x, f64 y) { return __builtin_copysign(x, y); }
static inline f32 sqrt_of(f32 x) { return __builtin_sqrtf(x); }
static inline f64 sqrt_of(f64 x) { return __builtin_sqrt(x); }
static inline f32 fma_of(f32 x, f32 y, f32 z) { return __builtin_fmaf(x, y, z); }
static inline f64 fma_of(f64 x, f64 y, f64 z) { return __builtin_fma(x, y, z); }

// ---- selection -------------------------------------------------------------------------------
// A blend of bit patterns for floats: with `c ? f(x) : y` GCC sinks the call f(x) into the branch
// and then cannot vectorise the loop.
template <class T>
static inline T select(bool c, T yes, T no) {
  if constexpr (same<T, f32> || same<T, f64>) {
    uint_of<T> mask = uint_of<T>(0) - uint_of<T>(c);
    return bit_cast<T>((bit_cast<uint_of<T>>(yes) & mask) | (bit_cast<uint_of<T>>(no) & ~mask));
  } else if constexpr (is_complex<T>) {
    return T{select(c, yes.re, no.re), select(c, yes.im, no.im)};
  } else {
    return c ? yes : no;
  }
}
// select_n: `which` 0 picks the first case. XLA clamps an out of range index to the last case.
template <class W, class T>
static inline T select_n(W, T a) {
  return a;
}
template <class W, class T, class... Rest>
static inline T select_n(W which, T a, Rest... rest) {
  return select(which <= W(0), a, select_n(W(which - 1), rest...));
}

// ---- arithmetic: integers wrap (computed unsigned, so no undefined behaviour) ------------------
template <class T>
static inline T add(T a, T b) {
  if constexpr (traits<T>::kind == k_bool) return a | b;
  else if constexpr (is_complex<T>) return T{a.re + b.re, a.im + b.im};
  else if constexpr (is_integer<T>) return T(wide_of<T>(a) + wide_of<T>(b));
  else return T(widen(a) + widen(b));
}
template <class T>
static inline T sub(T a, T b) {
  if constexpr (traits<T>::kind == k_bool) return a != b;
  else if constexpr (is_complex<T>) return T{a.re - b.re, a.im - b.im};
  else if constexpr (is_integer<T>) return T(wide_of<T>(a) - wide_of<T>(b));
  else return T(widen(a) - widen(b));
}
template <class R>
static inline complex<R> multiply_complex(complex<R> a, complex<R> b);
template <class T>
static inline T mul(T a, T b) {
  if constexpr (traits<T>::kind == k_bool) return a & b;
  else if constexpr (is_complex<T>) return multiply_complex(a, b);
  else if constexpr (is_integer<T>) return T(wide_of<T>(a) * wide_of<T>(b));
  else return T(widen(a) * widen(b));
}
template <class R>
static inline complex<R> divide_complex(complex<R> a, complex<R> b);
template <class T>
static inline T div(T a, T b) {
  if constexpr (is_complex<T>) {
    return divide_complex(a, b);
  } else if constexpr (is_signed<T>) {  // x / 0 is -1, MIN / -1 is MIN
    bool by_zero = b == 0, overflow = a == min_value<T>() && b == T(-1);
    T quotient = T(a / (by_zero | overflow ? T(1) : b));
    return by_zero ? T(-1) : quotient;
  } else if constexpr (is_integer<T>) {  // x / 0 is all ones
    T quotient = T(a / (b == 0 ? T(1) : b));
    return b == 0 ? T(-1) : quotient;
  } else {
    return T(widen(a) / widen(b));
  }
}
template <class T>
static inline T rem(T a, T b) {
  if constexpr (is_signed<T>) {  // x rem 0 is x, MIN rem -1 is 0
    bool by_zero = b == 0, minus_one = b == T(-1);
    T r = T(a % (by_zero | minus_one ? T(1) : b));
    return by_zero ? a : r;
  } else if constexpr (is_integer<T>) {
    T r = T(a % (b == 0 ? T(1) : b));
    return b == 0 ? a : r;
  } else {
    return T(libm::fmod(widen(a), widen(b)));
  }
}
template <class T>
static inline T neg(T a) {
  if constexpr (is_complex<T>) return T{-a.re, -a.im};
  else if constexpr (is_float<T>) return bit_cast<T>(uint_of<T>(bit_cast<uint_of<T>>(a) ^ sign_bit<T>));
  else return T(wide_of<T>(0) - wide_of<T>(a));
}
template <class R>
static inline R absolute_complex(complex<R> a);
template <class T>
static inline auto abs(T a) {
  if constexpr (is_complex<T>) return absolute_complex(a);
  else if constexpr (is_float<T>) return bit_cast<T>(uint_of<T>(bit_cast<uint_of<T>>(a) & ~sign_bit<T>));
  else if constexpr (is_signed<T>) return T(a < 0 ? neg(a) : a);
  else return a;
}
template <class T>
static inline T sign(T a) {
  if constexpr (is_complex<T>) {
    auto size = abs(a);
    bool zero = a.re == 0 && a.im == 0;
    return T{select(zero, a.re * 0, a.re / size), select(zero, a.im * 0, a.im / size)};
  } else if constexpr (is_float<T>) {  // sign(NaN) is NaN, sign(-0) is -0
    auto x = widen(a);
    decltype(x) unit = x == 0 ? 0 : 1;
    return T(x != x ? x : copysign_of(unit, x));
  } else if constexpr (is_signed<T>) {
    return T((a > 0) - (a < 0));
  } else {
    return T(a != 0);
  }
}
// GCC 12 takes x = x * x in a loop, computed without a sign, for a product of many x: corpus/gcc/square_in_a_loop.cc. It
// is not to see that the factors are the same one.
template <class T>
static inline T squared(T x) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
  if constexpr (traits<T>::kind == k_signed && !__is_class(T)) {
    T same = x;
    __asm__("" : "+r"(same));
    return mul(x, same);
  }
#endif
  return mul(x, x);
}
template <int Y, class T>
static inline T integer_power_of(T x) {  // repeated multiplication in the order JAX lowers it
  if constexpr (Y == 3) return mul(squared(x), x);
  T acc = x;
  bool started = false;
  for (int y = Y; y > 0;) {
    if (y & 1) acc = started ? mul(acc, x) : x, started = true;
    y >>= 1;
    if (y > 0) x = squared(x);
  }
  return acc;
}
template <int Y, class T>
static inline T integer_pow(T x) {
  if constexpr (Y == 0) return real_constant<T>(1);
  else if constexpr (Y > 0) return integer_power_of<Y>(x);
  else return div(real_constant<T>(1), integer_power_of<-Y>(x));
}
template <class T>
static inline T mulhi(T a, T b) {
  if constexpr (traits<T>::width == 64 && is_signed<T>) return T((__int128(a) * b) >> 64);
  else if constexpr (traits<T>::width == 64) return T((static_cast<unsigned __int128>(a) * b) >> 64);
  else if constexpr (is_signed<T>) return T((i64(a) * i64(b)) >> traits<T>::width);
  else return T((u64(a) * u64(b)) >> traits<T>::width);
}

// ---- comparison --------------------------------------------------------------------------------
template <class T>
static inline bool eq(T a, T b) {
  if constexpr (is_complex<T>) return (a.re == b.re) & (a.im == b.im);
  else if constexpr (is_float<T>) return widen(a) == widen(b);
  else return a == b;
}
template <class T>
static inline bool ne(T a, T b) {
  return !eq(a, b);
}
template <class T>
static inline bool lt(T a, T b) {
  if constexpr (is_complex<T>) return a.re == b.re ? a.im < b.im : a.re < b.re;
  else if constexpr (is_float<T>) return widen(a) < widen(b);
  else return a < b;
}
template <class T>
static inline bool le(T a, T b) {
  if constexpr (is_float<T>) return widen(a) <= widen(b);
  else return a <= b;
}
template <class T>
static inline bool gt(T a, T b) {
  return lt(b, a);
}
template <class T>
static inline bool ge(T a, T b) {
  return le(b, a);
}
template <class T>
static inline bool is_nan(T a) {
  return !eq(a, a);
}
template <class T>
static inline bool is_finite(T a) {
  return (bit_cast<uint_of<T>>(a) & inf_bits<T>) != inf_bits<T>;
}
// Integers that sort as IEEE totalOrder does: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
template <class T>
static inline auto total_order_key(T a) {
  if constexpr (is_float<T>) {
    auto s = bit_cast<sint_of<T>>(a);
    return sint_of<T>(s ^ sint_of<T>(uint_of<T>(s < 0 ? ~sign_bit<T> : 0)));
  } else {
    return a;
  }
}
template <class T>
static inline bool eq_to(T a, T b) {
  if constexpr (is_complex<T>) return eq_to(a.re, b.re) & eq_to(a.im, b.im);
  else return total_order_key(a) == total_order_key(b);
}
template <class T>
static inline bool lt_to(T a, T b) {
  return total_order_key(a) < total_order_key(b);
}
template <class T>
static inline bool le_to(T a, T b) {
  return total_order_key(a) <= total_order_key(b);
}

// ---- max, min, clamp: NaN wins, -0 < +0; complex numbers compare as (re, im) pairs ---------------
template <class T>
static inline T max(T a, T b) {
  if constexpr (traits<T>::kind == k_bool) return a | b;
  else if constexpr (is_complex<T>) return lt(b, a) ? a : b;
  else if constexpr (is_integer<T>) return a > b ? a : b;
  else {
    auto x = widen(a), y = widen(b);
    using U = uint_of<decltype(x)>;
    auto r = x > y ? x : y;
    r = x == y ? bit_cast<decltype(x)>(U(bit_cast<U>(x) & bit_cast<U>(y))) : r;
    r = r == 0 ? copysign_of(decltype(r)(0), r) : r;  // flushes a subnormal
    return T(x != x ? x : r);
  }
}
template <class T>
static inline T min(T a, T b) {
  if constexpr (traits<T>::kind == k_bool) return a & b;
  else if constexpr (is_complex<T>) return lt(a, b) ? a : b;
  else if constexpr (is_integer<T>) return a < b ? a : b;
  else {
    auto x = widen(a), y = widen(b);
    using U = uint_of<decltype(x)>;
    auto r = x < y ? x : y;
    r = x == y ? bit_cast<decltype(x)>(U(bit_cast<U>(x) | bit_cast<U>(y))) : r;
    r = r == 0 ? copysign_of(decltype(r)(0), r) : r;
    return T(x != x ? x : r);
  }
}
template <class T>
static inline T clamp(T low, T x, T high) {
  return min(max(low, x), high);
}

// ---- bits --------------------------------------------------------------------------------------
template <class T>
static inline T not_(T a) {
  if constexpr (traits<T>::kind == k_bool) return !a;
  else return T(~a);
}
template <class T>
static inline T and_(T a, T b) {
  return T(a & b);
}
template <class T>
static inline T or_(T a, T b) {
  return T(a | b);
}
template <class T>
static inline T xor_(T a, T b) {
  return T(a ^ b);
}
template <class T>
static inline T shift_left(T a, T n) {  // by the width or more (or a negative amount): 0
  bool fits = uint_of<T>(n) < traits<T>::width;
  uint_of<T> r = uint_of<T>(uint_of<T>(a) << (fits ? uint_of<T>(n) : 0));
  return T(fits ? r : 0);
}
template <class T>
static inline T shift_right_logical(T a, T n) {
  bool fits = uint_of<T>(n) < traits<T>::width;
  uint_of<T> r = uint_of<T>(uint_of<T>(a) >> (fits ? uint_of<T>(n) : 0));
  return T(fits ? r : 0);
}
template <class T>
static inline T shift_right_arithmetic(T a, T n) {  // by the width or more: the sign, everywhere
  bool fits = uint_of<T>(n) < traits<T>::width;
  return T(sint_of<T>(a) >> (fits ? uint_of<T>(n) : uint_of<T>(traits<T>::width - 1)));
}
template <class T>
static inline T population_count(T a) {
  if constexpr (traits<T>::width == 64) return T(__builtin_popcountl(u64(a)));
  else return T(__builtin_popcount(u32(uint_of<T>(a))));
}
template <class T>
static inline T clz(T a) {
  auto u = uint_of<T>(a);
  if constexpr (traits<T>::width == 64) return T(u == 0 ? 64 : __builtin_clzl(u | 1) );
  else return T(u == 0 ? traits<T>::width : __builtin_clz(u32(u) | 1) - (32 - traits<T>::width));
}
template <class T>
static inline T nextafter(T from, T to) {  // on bits: subnormals are stepped through, never flushed
  using U = uint_of<T>;
  U x = bit_cast<U>(from), y = bit_cast<U>(to);
  U x_size = U(x & ~sign_bit<T>), y_size = U(y & ~sign_bit<T>);
  U step = U(U(x_size > y_size || ((x ^ y) & sign_bit<T>)) * U(-2) + U(1));
  U r = x_size == 0 ? U((y & sign_bit<T>) | 1) : U(x + step);
  r = eq(from, to) ? y : r;  // subnormals are equal to 0 here, as in XLA
  return bit_cast<T>(U(x_size > inf_bits<T> || y_size > inf_bits<T> ? bit_cast<U>(nan<T>()) : r));
}

// ---- rounding ------------------------------------------------------------------------------------
template <class T>
static inline T floor(T x) {
  return T(floor_of(widen(x)));
}
template <class T>
static inline T ceil(T x) {
  return T(ceil_of(widen(x)));
}
template <class T>
static inline T round_even(T x) {
  return T(rint_of(widen(x)));
}
template <class T>
static inline T round_away(T x) {  // halves away from zero; x - trunc(x) is exact
  auto w = widen(x), t = trunc_of(w);
  auto up = w - t >= decltype(w)(0.5) ? decltype(w)(1) : decltype(w)(0);
  auto down = t - w >= decltype(w)(0.5) ? decltype(w)(1) : decltype(w)(0);
  return T(copysign_of(t + up - down, w));
}

// ---- operators of the types that have none of their own --------------------------------------------
#define JACE_OPERATORS(T, TEMPLATE)                                     \
  TEMPLATE static inline T operator+(T a, T b) { return add(a, b); }    \
  TEMPLATE static inline T operator-(T a, T b) { return sub(a, b); }    \
  TEMPLATE static inline T operator*(T a, T b) { return mul(a, b); }    \
  TEMPLATE static inline T operator/(T a, T b) { return div(a, b); }    \
  TEMPLATE static inline T operator-(T a) { return neg(a); }            \
  TEMPLATE static inline T& operator+=(T& a, T b) { return a = add(a, b); } \
  TEMPLATE static inline T& operator*=(T& a, T b) { return a = mul(a, b); } \
  TEMPLATE static inline bool operator==(T a, T b) { return eq(a, b); } \
  TEMPLATE static inline bool operator!=(T a, T b) { return ne(a, b); }
JACE_OPERATORS(bf16, )
JACE_OPERATORS(complex<R>, template <class R>)
#undef JACE_OPERATORS
// As std::complex and dace/complex.h have them, for DaCe's own expansions: a number of another type is taken for an int.
template <class R>
static inline complex<R> operator*(complex<R> a, R b) { return {a.re * b, a.im * b}; }
template <class R>
static inline complex<R> operator*(R a, complex<R> b) { return {a * b.re, a * b.im}; }
template <class R>
static inline complex<R> operator*(complex<R> a, const int& b) { return {b * a.re, b * a.im}; }
template <class R>
static inline complex<R> operator*(const int& a, complex<R> b) { return {a * b.re, a * b.im}; }
static inline bool operator<(bf16 a, bf16 b) { return lt(a, b); }
static inline bool operator>(bf16 a, bf16 b) { return lt(b, a); }
static inline bool operator<=(bf16 a, bf16 b) { return le(a, b); }
static inline bool operator>=(bf16 a, bf16 b) { return le(b, a); }

}  // namespace jace
#endif

// jace runtime, optional part: integers of 2 and 4 bits, floats of 4 and 8 bits.
// Stored one a byte, as NumPy (ml_dtypes) stores them: the low bits count, the others are ignored when read and zero
// when written. Integers compute in int and wrap. Floats convert with one rounding, to nearest even; arithmetic is in
// f32, rounded to f16 and then to the small type as XLA CPU does (float8_e8m0fnu, whose range f16 lacks, at once).
#ifndef JACE_RUNTIME_SMALL
#define JACE_RUNTIME_SMALL

namespace jace {

// ---- integers: they convert to int by themselves, so that every operator of int is theirs ----------
template <int WIDTH, bool SIGNED>
struct small_int {
  static constexpr int mask = (1 << WIDTH) - 1, high = 1 << (WIDTH - 1);
  u8 bits;
  small_int() = default;
  template <class N>
  inline explicit small_int(N x) : bits(u8(static_cast<i32>(x) & mask)) {}
  inline operator i32() const {
    if constexpr (SIGNED) return ((bits & mask) ^ high) - high;
    else return bits & mask;
  }
};
using i2 = small_int<2, true>;
using i4 = small_int<4, true>;
using u2 = small_int<2, false>;
using u4 = small_int<4, false>;

template <int WIDTH, bool SIGNED>
struct traits<small_int<WIDTH, SIGNED>> {
  static constexpr kind_of kind = SIGNED ? k_signed : k_unsigned;
  static constexpr int width = WIDTH;
  using wide = u32;
  using uint = u8;
  using sint = i8;
};
// What looks at the bits must not see the sign extended.
template <int W, bool S>
static inline small_int<W, S> shift_right_logical(small_int<W, S> a, small_int<W, S> n) {
  u32 size = u32(i32(n));
  return small_int<W, S>(size < u32(W) ? (a.bits & small_int<W, S>::mask) >> size : 0);
}
template <int W, bool S>
static inline small_int<W, S> shift_right_arithmetic(small_int<W, S> a, small_int<W, S> n) {
  u32 size = u32(i32(n));
  return small_int<W, S>(i32(small_int<W, true>(i32(a))) >> (size < u32(W) ? size : u32(W - 1)));
}
// XLA widens int4 (but not int2) to 8 bits first, so that the copies of a sign count too.
template <int W, bool S>
static inline small_int<W, S> population_count(small_int<W, S> a) {
  return small_int<W, S>(__builtin_popcount(W == 4 ? u8(i32(a)) : a.bits & small_int<W, S>::mask));
}
template <int W, bool S>
static inline small_int<W, S> clz(small_int<W, S> a) {
  u32 bits = a.bits & small_int<W, S>::mask;
  return small_int<W, S>(bits == 0 ? W : __builtin_clz(bits | 1) - (32 - W));
}

// ---- floats ------------------------------------------------------------------------------------------
// How a format spells what is not a finite number: as IEEE 754 does; `fn`: NaN is all ones and there is no infinity;
// `fnuz`: NaN is the code of -0, no infinity, no -0; `finite`: neither (overflow saturates, NaN becomes -0).
enum specials { s_ieee, s_fn, s_fnuz, s_finite };
template <int EXPONENT, int MANTISSA, int BIAS, specials SPECIALS>
struct format {
  static constexpr int width = 1 + EXPONENT + MANTISSA;
  static constexpr bool through_f16 = true;
  static constexpr u8 sign = 1 << (width - 1), all = sign - 1;
  static constexpr u8 infinite = all ^ ((1 << MANTISSA) - 1);  // s_ieee only
  static constexpr u8 largest = SPECIALS == s_ieee ? infinite - 1 : SPECIALS == s_fn ? all - 1 : all;
  static constexpr u8 nan = SPECIALS == s_ieee ? infinite | (1 << (MANTISSA - 1)) : SPECIALS == s_fn ? all : sign;
  static constexpr u8 overflow = SPECIALS == s_ieee ? infinite : SPECIALS == s_finite ? all : nan;

  static constexpr inline f32 decode(int code) {
    int size = code & all, field = size >> MANTISSA, fraction = size & ((1 << MANTISSA) - 1);
    bool negative = code & sign;
    if (SPECIALS == s_fnuz && (code & (sign | all)) == sign) return __builtin_nanf("");
    if (SPECIALS != s_finite && SPECIALS != s_fnuz && size > largest) {
      f32 special = SPECIALS == s_ieee && size == infinite ? __builtin_inff() : __builtin_nanf("");
      return negative ? -special : special;
    }
    f32 value = field == 0 ? fraction : fraction + (1 << MANTISSA);
    for (int e = (field == 0 ? 1 : field) - BIAS - MANTISSA; e != 0; e += e > 0 ? -1 : 1) value *= e > 0 ? 2.0f : 0.5f;
    return negative ? -value : value;
  }
  template <class F>
  static inline u8 encode(F x) {
    using U = uint_of<F>;
    constexpr int digits = layout<F>::mantissa;
    U u = bit_cast<U>(x), size = U(u & ~sign_bit<F>);
    u8 negative = (u & sign_bit<F>) != 0 ? sign : u8(0);
    // exponent field in this format; below 1 the number is subnormal here and more digits are rounded away
    int field = int(size >> digits) - ((1 << (layout<F>::exponent - 1)) - 1) + BIAS;
    int shift = digits - MANTISSA + (field < 1 ? 1 - field : 0);
    shift = shift > digits + 2 ? digits + 2 : shift;
    U significand = U((size & ((U(1) << digits) - 1)) | (U(1) << digits));
    U quotient = significand >> shift, rest = U(significand & ((U(1) << shift) - 1)), half = U(1) << (shift - 1);
    quotient += U((rest > half) | ((rest == half) & (quotient & 1)));
    U code = quotient + (U(field < 1 ? 0 : field - 1) << MANTISSA);
    u8 finite = u8(code > largest ? overflow : code);
    if (SPECIALS == s_fnuz) {
      u8 coded = finite == 0 || finite == nan ? finite : u8(finite | negative);
      return size > inf_bits<F> ? nan : coded;
    }
    return size > inf_bits<F> ? u8(SPECIALS == s_finite ? sign : nan | negative) : u8(finite | negative);
  }
};
// An exponent alone: powers of two from 2^-127 to 2^127 and NaN; no sign, no zero.
struct format_e8m0 {
  static constexpr int width = 8;
  static constexpr bool through_f16 = false;
  static constexpr inline f32 decode(int code) {
    if ((code & 255) == 255) return __builtin_nanf("");
    f32 value = 1;
    for (int e = (code & 255) - 127; e != 0; e += e > 0 ? -1 : 1) value *= e > 0 ? 2.0f : 0.5f;
    return value;
  }
  template <class F>
  static inline u8 encode(F x) {
    using U = uint_of<F>;
    constexpr int digits = layout<F>::mantissa;
    U u = bit_cast<U>(x), fraction = U(u & ((U(1) << digits) - 1)), half = U(1) << (digits - 1);
    int field = int((u & inf_bits<F>) >> digits) - ((1 << (layout<F>::exponent - 1)) - 1) + 127;
    // XLA: an f32 below 2^-127 becomes 2^-127, an f64 NaN; what is between 2^-127 and 2^-126 becomes the latter
    bool below = field < 0, between = !same<F, f32> && field == 0 && fraction != 0;
    field += between || fraction > half || (fraction == half && field != 0) ? 1 : 0;  // halves go up
    bool none = (u & sign_bit<F>) != 0 || u >= inf_bits<F> || u == 0 || below || field > 254;
    return none ? u8(255) : u8(field);
  }
};

template <class FORMAT>
struct small_float {
  u8 bits;
  small_float() = default;
  template <class N>
  inline explicit small_float(N x) : bits(FORMAT::encode(FORMAT::through_f16 ? f32(f16(f32(x))) : f32(x))) {}
  template <class N>
  static inline small_float once(N x) {
    small_float r;
    if constexpr (same<N, f64>) r.bits = FORMAT::encode(x);
    else r.bits = FORMAT::encode(f32(x));
    return r;
  }
  inline explicit operator f32() const {
#ifdef __CUDA_ARCH__  // whose tables would be zeros
    return FORMAT::decode(bits);
#else
    struct table {
      f32 value[256];
      constexpr table() : value{} {
        for (int code = 0; code < 256; ++code) value[code] = FORMAT::decode(code);
      }
    };
    static constexpr table decoded;
    return decoded.value[bits];
#endif
  }
};
using f8_e5m2 = small_float<format<5, 2, 15, s_ieee>>;
using f8_e4m3 = small_float<format<4, 3, 7, s_ieee>>;
using f8_e3m4 = small_float<format<3, 4, 3, s_ieee>>;
using f8_e4m3fn = small_float<format<4, 3, 7, s_fn>>;
using f8_e4m3fnuz = small_float<format<4, 3, 8, s_fnuz>>;
using f8_e4m3b11fnuz = small_float<format<4, 3, 11, s_fnuz>>;
using f8_e5m2fnuz = small_float<format<5, 2, 16, s_fnuz>>;
using f8_e8m0fnu = small_float<format_e8m0>;
using f4_e2m1fn = small_float<format<2, 1, 1, s_finite>>;

template <class F>
struct traits<small_float<F>> {
  static constexpr kind_of kind = k_float;
  static constexpr int width = F::width;
  using wide = f32;
  using uint = u8;
  using sint = i8;
};
template <class F>
static inline f32 widen(small_float<F> x) {
  return f32(x);
}
// What the general functions do on bits is done on values: the formats spell NaN and -0 in too many ways.
template <class F>
static inline small_float<F> neg(small_float<F> x) {
  return small_float<F>(-widen(x));
}
template <class F>
static inline small_float<F> abs(small_float<F> x) {
  return small_float<F>(abs(widen(x)));
}
template <class F>
static inline bool is_finite(small_float<F> x) {
  return is_finite(widen(x));
}
template <class F>
static inline auto total_order_key(small_float<F> x) {
  return total_order_key(widen(x));
}
template <int EXPONENT, int MANTISSA, class F>
static inline small_float<F> reduce_precision(small_float<F> x) {
  return small_float<F>(reduce_precision<EXPONENT, MANTISSA>(widen(x)));
}
template <class To, class F>
static inline To convert(small_float<F> x) {
  constexpr bool exponent = same<F, format_e8m0>;
  if constexpr (same<To, small_float<F>>) return x;
  else if constexpr (exponent && traits<To>::kind == k_bool) return true;  // 2^-127 is subnormal in f32, and flushed
  else if constexpr (exponent && same<To, f64>) return x.bits == 255 ? nan<f64>() : bit_cast<f64>((u64(x.bits) + 896) << 52);
  else return convert<To>(widen(x));
}
// 2^-127 is subnormal in f32 and would be flushed.
static inline f8_e8m0fnu sign(f8_e8m0fnu x) { return f8_e8m0fnu(x.bits == 255 ? nan<f32>() : 1.0f); }
static inline f8_e8m0fnu ceil(f8_e8m0fnu x) { return x.bits < 127 ? f8_e8m0fnu(1.0f) : x; }
#define JACE_SMALL_OPERATORS(OPERATOR, FUNCTION, RESULT)                            \
  template <class F>                                                              \
  static inline RESULT operator OPERATOR(small_float<F> a, small_float<F> b) {      \
    return FUNCTION(a, b);                                                        \
  }
JACE_SMALL_OPERATORS(+, add, small_float<F>)
JACE_SMALL_OPERATORS(-, sub, small_float<F>)
JACE_SMALL_OPERATORS(*, mul, small_float<F>)
JACE_SMALL_OPERATORS(/, div, small_float<F>)
JACE_SMALL_OPERATORS(==, eq, bool)
JACE_SMALL_OPERATORS(!=, ne, bool)
JACE_SMALL_OPERATORS(<, lt, bool)
JACE_SMALL_OPERATORS(>, gt, bool)
JACE_SMALL_OPERATORS(<=, le, bool)
JACE_SMALL_OPERATORS(>=, ge, bool)
#undef JACE_SMALL_OPERATORS

}  // namespace jace
#endif

// jace runtime, part 1: scalar types, bit casts, limits, the FTZ scope.
// Self-contained: no #include, so that a translation unit compiles in milliseconds. It also
// parses after <cmath>, <complex> or dace.h (nothing here is a macro or a global name they use).
// What a GPU's kernels may call says `inline`: in a program for GPUs that is for the GPU as well (`jace.build.gpu`).
// Assumes g++ >= 12 on x86-64, -ffp-contract=fast, no -ffast-math.
#ifndef JACE_RUNTIME_TYPES
#define JACE_RUNTIME_TYPES

namespace jace {

using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long;
#ifdef __CUDACC__
using f16 = __half;
#else
using f16 = _Float16;
#endif
using f32 = float;
using f64 = double;

template <class To, class From>
static inline To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast needs equal sizes");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

// bfloat16: stored as the high half of an f32; every operation goes through f32 and rounds once.
struct bf16 {
  u16 bits;
  bf16() = default;
  inline explicit bf16(f32 x) {
    u32 u = bit_cast<u32>(x);
    u32 rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;  // to nearest, ties to even
    u32 quiet = (u >> 16) | 0x40u;                         // NaN must not round to infinity
    bits = u16((u & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
  }
  inline explicit operator f32() const { return bit_cast<f32>(u32(bits) << 16); }
};

template <class T>
struct complex {
  T re, im;
  inline complex& operator=(T number) { return *this = {number, 0}; }  // DaCe's own expansions begin with one
};
using c64 = complex<f32>;
using c128 = complex<f64>;

// What a type is, what it computes in (`wide`), and integers of its width.
enum kind_of { k_bool, k_signed, k_unsigned, k_float, k_complex };
template <class T>
struct traits;
#define JACE_TRAITS(T, K, WIDE, UINT, SINT)    \
  template <>                                  \
  struct traits<T> {                           \
    static constexpr kind_of kind = K;         \
    static constexpr int width = sizeof(T) * 8; \
    using wide = WIDE;                         \
    using uint = UINT;                         \
    using sint = SINT;                         \
  };
JACE_TRAITS(bool, k_bool, bool, u8, i8)
JACE_TRAITS(i8, k_signed, u32, u8, i8)
JACE_TRAITS(i16, k_signed, u32, u16, i16)
JACE_TRAITS(i32, k_signed, u32, u32, i32)
JACE_TRAITS(i64, k_signed, u64, u64, i64)
JACE_TRAITS(long long, k_signed, u64, u64, i64)
JACE_TRAITS(u8, k_unsigned, u32, u8, i8)
JACE_TRAITS(u16, k_unsigned, u32, u16, i16)
JACE_TRAITS(u32, k_unsigned, u32, u32, i32)
JACE_TRAITS(u64, k_unsigned, u64, u64, i64)
JACE_TRAITS(unsigned long long, k_unsigned, u64, u64, i64)
JACE_TRAITS(f16, k_float, f32, u16, i16)
JACE_TRAITS(bf16, k_float, f32, u16, i16)
JACE_TRAITS(f32, k_float, f32, u32, i32)
JACE_TRAITS(f64, k_float, f64, u64, i64)
#undef JACE_TRAITS
template <class R>
struct traits<complex<R>> {
  static constexpr kind_of kind = k_complex;
  static constexpr int width = sizeof(R) * 16;
  using wide = complex<R>;
  using real = R;
};

template <class T>
static constexpr bool is_float = traits<T>::kind == k_float;
template <class T>
static constexpr bool is_complex = traits<T>::kind == k_complex;
template <class T>
static constexpr bool is_integer = traits<T>::kind == k_signed || traits<T>::kind == k_unsigned;
template <class T>
static constexpr bool is_signed = traits<T>::kind == k_signed;
template <class A, class B>
static constexpr bool same = false;
template <class A>
static constexpr bool same<A, A> = true;
template <class T>
using uint_of = typename traits<T>::uint;
template <class T>
using sint_of = typename traits<T>::sint;
template <class T>
using wide_of = typename traits<T>::wide;

// Bit layout of the floats.
template <class T>
struct layout;
template <>
struct layout<f16> {
  static constexpr int mantissa = 10, exponent = 5;
};
template <>
struct layout<bf16> {
  static constexpr int mantissa = 7, exponent = 8;
};
template <>
struct layout<f32> {
  static constexpr int mantissa = 23, exponent = 8;
};
template <>
struct layout<f64> {
  static constexpr int mantissa = 52, exponent = 11;
};
template <class T>
static constexpr uint_of<T> sign_bit = uint_of<T>(uint_of<T>(1) << (traits<T>::width - 1));
template <class T>
static constexpr uint_of<T> inf_bits = uint_of<T>(((uint_of<T>(1) << layout<T>::exponent) - 1) << layout<T>::mantissa);

// f16/bf16 to the f32 they compute in and back; the identity for f32 and f64.
static inline f32 widen(f16 x) { return f32(x); }
static inline f32 widen(bf16 x) { return f32(x); }
static inline f32 widen(f32 x) { return x; }
static inline f64 widen(f64 x) { return x; }

template <class T>
static inline T inf() {
  return bit_cast<T>(uint_of<T>(inf_bits<T>));
}
template <class T>
static inline T nan() {
  return bit_cast<T>(uint_of<T>(inf_bits<T> | (uint_of<T>(1) << (layout<T>::mantissa - 1))));
}
// The identity of max / min reductions: -inf / +inf for floats, the extremes of integers.
template <class T>
static inline T min_value() {
  if constexpr (is_float<T>) return bit_cast<T>(uint_of<T>(inf_bits<T> | sign_bit<T>));
  else if constexpr (is_signed<T>) return T(sign_bit<T>);
  else return T(0);
}
template <class T>
static inline T max_value() {
  if constexpr (is_float<T>) return inf<T>();
  else if constexpr (is_signed<T>) return T(uint_of<T>(~sign_bit<T>));
  else if constexpr (traits<T>::kind == k_bool) return true;
  else return T(~T(0));
}
// A scalar constant written as a double in generated code (exact for every constant used).
template <class T>
static inline T real_constant(double x) {
  if constexpr (is_complex<T>) return T{typename traits<T>::real(x), 0};
  else if constexpr (same<T, bf16>) return bf16(f32(x));
  else return T(x);
}

// Copies between DaCe's type of a buffer (std::complex, dace::float16, ...) and ours, bit for bit.
template <class To, class From>
static inline To load(const From& from) {
  if constexpr (same<To, bool>) return bit_cast<u8>(from) != 0;  // GCC 12 cannot vectorise a load of bool
  else if constexpr (same<To, From>) return from;
  else return bit_cast<To>(from);
}
template <class To, class From>
static inline void store(To& to, const From& from) {
  static_assert(sizeof(To) == sizeof(From), "store needs equal sizes");
  if constexpr (same<To, From>) to = from;  // a memcpy of a struct would not vectorise
  else __builtin_memcpy(static_cast<void*>(&to), &from, sizeof(To));
}

// XLA CPU runs with MXCSR FTZ and DAZ set, so f32/f64 subnormals are zero in and out of arithmetic
// (bit operations such as neg, abs and nextafter keep them). Compiled programs hold one of these.
struct ftz_scope {
  u32 saved;
  ftz_scope() {
    asm volatile("stmxcsr %0" : "=m"(saved));
    u32 flushing = saved | 0x8040u;
    asm volatile("ldmxcsr %0" : : "m"(flushing) : "memory");
  }
  ~ftz_scope() { asm volatile("ldmxcsr %0" : : "m"(saved) : "memory"); }
  ftz_scope(const ftz_scope&) = delete;
  ftz_scope& operator=(const ftz_scope&) = delete;
};

// Memory of a routine for results that nobody reads.
template <class T>
struct scratch {
  T* data;
  explicit scratch(i64 size) : data(new T[size]) {}
  ~scratch() { delete[] data; }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
};

}  // namespace jace
#endif

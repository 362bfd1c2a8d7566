// jace runtime, part 4: conversions between dtypes, reduce_precision.
#ifndef JACE_RUNTIME_CONVERT
#define JACE_RUNTIME_CONVERT

namespace jace {

template <class To, class F>
static inline To saturate(F x) {  // float to integer: saturates, NaN is 0, truncates towards zero
  constexpr F high = F(2) * F(u64(1) << (traits<To>::width - 1 - (is_signed<To> ? 1 : 0)));
  constexpr F low = is_signed<To> ? -high : F(0);
  bool above = x >= high, below = x <= low;
  F safe = (x < high) & (x > low) ? x : F(0);
  To r = To(safe);
  r = above ? max_value<To>() : r;
  return below ? min_value<To>() : r;
}

// convert_element_type: to bool is x != 0; complex to real drops the imaginary part.
template <class To, class From>
static inline To convert(From x) {
  if constexpr (same<To, From>) {
    return x;
  } else if constexpr (requires { To::once(x); } && !is_complex<From>) {
    return To::once(x);
  } else if constexpr (is_complex<From>) {
    if constexpr (is_complex<To>) return To{typename traits<To>::real(x.re), typename traits<To>::real(x.im)};
    else return convert<To>(x.re);
  } else if constexpr (is_complex<To>) {
    return To{convert<typename traits<To>::real>(x), 0};
  } else if constexpr (traits<To>::kind == k_bool) {
    if constexpr (same<From, bf16> && JACE_XLA < 1100) return (x.bits & 0x7fff) != 0;  // a subnormal one is true
    else if constexpr (is_float<From>) return widen(x) != 0;
    else return x != 0;
  } else if constexpr (is_float<From> && is_float<To>) {
    if constexpr (same<To, bf16>) return bf16(f32(x));
    else if constexpr (same<From, bf16>) return To(widen(x));
    else return To(x);
  } else if constexpr (is_float<From>) {
    return saturate<To>(widen(x));
  } else if constexpr (is_float<To> && traits<To>::width == 16) {
    return To(f32(x));
  } else {
    return To(x);
  }
}

// XLA's reduce_precision: rounds the mantissa to nearest even, then overflows to infinity and
// flushes what the narrower exponent cannot hold to zero. NaN stays.
template <int EXPONENT, int MANTISSA, class T>
static inline T reduce_precision(T x) {
  using U = uint_of<T>;
  constexpr int mantissa = layout<T>::mantissa, exponent = layout<T>::exponent;
  U bits = bit_cast<U>(x);
  U original = bits;
  if constexpr (MANTISSA < mantissa) {
    constexpr U last = U(U(1) << (mantissa - MANTISSA));
    U bias = U(U((bits & last) >> (mantissa - MANTISSA)) + U((last >> 1) - 1));
    bits = U(U(bits + bias) & U(~U(last - 1)));
  }
  if constexpr (EXPONENT < exponent) {
    constexpr U bias = U((U(1) << (exponent - 1)) - 1), reduced = U((U(1) << (EXPONENT - 1)) - 1);
    U e = U(bits & inf_bits<T>), sign = U(bits & sign_bit<T>);
    bool overflows = e > U(U(bias + reduced) << mantissa), underflows = e <= U(U(bias - reduced) << mantissa);
    bits = overflows ? U(sign | inf_bits<T>) : bits;
    bits = underflows ? sign : bits;
  }
  bool is_a_nan = U(original & ~sign_bit<T>) > inf_bits<T>;
  return bit_cast<T>(U(is_a_nan ? original : bits));
}

}  // namespace jace
#endif

// jace runtime, part 8: orders for sort, argmax and argmin, and what reductions combine with.
#ifndef JACE_RUNTIME_ORDER
#define JACE_RUNTIME_ORDER

namespace jace {

// lax.sort's order: NaN (of any sign) last, -0 equal to 0, complex numbers as (re, im) pairs.
// Returns -1, 0 or 1, so that several keys can be compared one after the other.
template <class T>
static inline int sort_compare(T a, T b) {
  if constexpr (is_complex<T>) {
    int first = sort_compare(a.re, b.re);
    return first != 0 ? first : sort_compare(a.im, b.im);
  } else {
    int nan_a = is_nan(a), nan_b = is_nan(b);
    int plain = int(lt(b, a)) - int(lt(a, b));
    return nan_a | nan_b ? nan_a - nan_b : plain;
  }
}
template <class T>
static inline bool sort_less(T a, T b) {
  return sort_compare(a, b) < 0;
}

}  // namespace jace

// How reductions combine, as functions that a lambda of DaCe's may call: Python has no name with a colon.
#define JACE_COMBINATION(NAME, FUNCTION)           \
  template <class T>                               \
  static inline T NAME(const T &a, const T &b) {   \
    return jace::FUNCTION(a, b);                   \
  }
JACE_COMBINATION(jace_add, add)
JACE_COMBINATION(jace_mul, mul)
JACE_COMBINATION(jace_max, max)
JACE_COMBINATION(jace_min, min)
JACE_COMBINATION(jace_and, and_)
JACE_COMBINATION(jace_or, or_)
JACE_COMBINATION(jace_xor, xor_)
#undef JACE_COMBINATION
#endif

// jace runtime, part 7: special functions.
#ifndef JACE_RUNTIME_SPECIAL
#define JACE_RUNTIME_SPECIAL

namespace jace {

template <class T>
static inline T lgamma_(T x) {
  int sign_of_gamma;
  if constexpr (same<T, f64>) return jace_lgamma_r(x, &sign_of_gamma);
  else return T(jace_lgammaf_r(widen(x), &sign_of_gamma));
}

}  // namespace jace
#endif

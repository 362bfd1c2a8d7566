// jace runtime, part 2: the C library's functions under names of our own.
// The asm label makes ours independent of whatever <cmath> declares; the simd attribute tells GCC
// that libmvec has vector versions (_ZGVeN8v_exp, ...), without which one call keeps a whole loop
// scalar. glibc >= 2.35 has all of those marked JACE_VECTOR. -DJACE_SCALAR_LIBM builds with the
// correctly-rounded-or-nearly scalar functions instead: bit-level triage, no -lmvec needed.
#ifndef JACE_RUNTIME_LIBM
#define JACE_RUNTIME_LIBM

#ifdef JACE_SCALAR_LIBM
#define JACE_VECTOR __attribute__((const))
#else
#define JACE_VECTOR __attribute__((__simd__("notinbranch"), const))
#endif
#define JACE_LIBM1(NAME, ATTR)                                            \
  extern "C" ATTR double jace_##NAME(double) noexcept __asm__(#NAME);     \
  extern "C" ATTR float jace_##NAME##f(float) noexcept __asm__(#NAME "f"); \
  namespace jace::libm {                                                  \
  static inline f64 NAME(f64 x) { return jace_##NAME(x); }                \
  static inline f32 NAME(f32 x) { return jace_##NAME##f(x); }             \
  }
#define JACE_LIBM2(NAME, ATTR)                                                    \
  extern "C" ATTR double jace_##NAME(double, double) noexcept __asm__(#NAME);     \
  extern "C" ATTR float jace_##NAME##f(float, float) noexcept __asm__(#NAME "f"); \
  namespace jace::libm {                                                          \
  static inline f64 NAME(f64 x, f64 y) { return jace_##NAME(x, y); }              \
  static inline f32 NAME(f32 x, f32 y) { return jace_##NAME##f(x, y); }           \
  }
JACE_LIBM1(exp, JACE_VECTOR)
JACE_LIBM1(exp2, JACE_VECTOR)
JACE_LIBM1(expm1, JACE_VECTOR)
JACE_LIBM1(log, JACE_VECTOR)
JACE_LIBM1(log1p, JACE_VECTOR)
JACE_LIBM1(sin, JACE_VECTOR)
JACE_LIBM1(cos, JACE_VECTOR)
JACE_LIBM1(tan, JACE_VECTOR)
JACE_LIBM1(asin, JACE_VECTOR)
JACE_LIBM1(acos, JACE_VECTOR)
JACE_LIBM1(atan, JACE_VECTOR)
JACE_LIBM1(sinh, JACE_VECTOR)
JACE_LIBM1(cosh, JACE_VECTOR)
JACE_LIBM1(tanh, JACE_VECTOR)
JACE_LIBM1(asinh, JACE_VECTOR)
JACE_LIBM1(acosh, JACE_VECTOR)
JACE_LIBM1(atanh, JACE_VECTOR)
JACE_LIBM1(cbrt, JACE_VECTOR)
JACE_LIBM1(erf, JACE_VECTOR)
JACE_LIBM1(erfc, JACE_VECTOR)
JACE_LIBM2(pow, JACE_VECTOR)
JACE_LIBM2(atan2, JACE_VECTOR)
JACE_LIBM2(hypot, JACE_VECTOR)
JACE_LIBM2(fmod, __attribute__((const)))
#undef JACE_LIBM1
#undef JACE_LIBM2
#undef JACE_VECTOR

extern "C" double jace_tgamma(double) noexcept __asm__("tgamma");
extern "C" double jace_lgamma_r(double, int*) noexcept __asm__("lgamma_r");
extern "C" float jace_lgammaf_r(float, int*) noexcept __asm__("lgammaf_r");
namespace jace::libm {
static inline f64 tgamma(f64 x) { return jace_tgamma(x); }
// Not by the functions that write a variable which threads share.
static inline f64 lgamma(f64 x) {
  int sign;
  return jace_lgamma_r(x, &sign);
}
static inline f32 lgamma(f32 x) {
  int sign;
  return jace_lgammaf_r(x, &sign);
}
}  // namespace jace::libm

// Complex functions of C99: accurate, with its special cases, never vectorised.
#define JACE_LIBM_COMPLEX(NAME)                                                                           \
  extern "C" __attribute__((const)) __complex__ double jace_##NAME(__complex__ double) noexcept __asm__(#NAME); \
  extern "C" __attribute__((const)) __complex__ float jace_##NAME##f(__complex__ float) noexcept __asm__(#NAME "f"); \
  namespace jace::libm {                                                                                  \
  static inline c128 NAME(c128 x) { return bit_cast<c128>(jace_##NAME(bit_cast<__complex__ double>(x))); }  \
  static inline c64 NAME(c64 x) { return bit_cast<c64>(jace_##NAME##f(bit_cast<__complex__ float>(x))); }   \
  }
JACE_LIBM_COMPLEX(cexp)
JACE_LIBM_COMPLEX(clog)
JACE_LIBM_COMPLEX(csqrt)
JACE_LIBM_COMPLEX(csin)
JACE_LIBM_COMPLEX(ccos)
JACE_LIBM_COMPLEX(ctan)
JACE_LIBM_COMPLEX(csinh)
JACE_LIBM_COMPLEX(ccosh)
JACE_LIBM_COMPLEX(ctanh)
JACE_LIBM_COMPLEX(casin)
JACE_LIBM_COMPLEX(cacos)
JACE_LIBM_COMPLEX(catan)
JACE_LIBM_COMPLEX(casinh)
JACE_LIBM_COMPLEX(cacosh)
JACE_LIBM_COMPLEX(catanh)
#undef JACE_LIBM_COMPLEX
#endif

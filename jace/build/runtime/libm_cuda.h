// jace runtime, part 2 of a program for GPUs: CUDA's functions, on the host the C library's, in the place of libm.h.
#ifndef JACE_RUNTIME_LIBM
#define JACE_RUNTIME_LIBM

namespace jace::libm {

#define JACE_LIBM1(NAME)                              \
  static inline f64 NAME(f64 x) { return ::NAME(x); } \
  static inline f32 NAME(f32 x) { return ::NAME##f(x); }
#define JACE_LIBM2(NAME)                                        \
  static inline f64 NAME(f64 x, f64 y) { return ::NAME(x, y); } \
  static inline f32 NAME(f32 x, f32 y) { return ::NAME##f(x, y); }
JACE_LIBM1(exp)
JACE_LIBM1(exp2)
JACE_LIBM1(expm1)
JACE_LIBM1(log)
JACE_LIBM1(log1p)
JACE_LIBM1(sin)
JACE_LIBM1(cos)
JACE_LIBM1(tan)
JACE_LIBM1(asin)
JACE_LIBM1(acos)
JACE_LIBM1(atan)
JACE_LIBM1(sinh)
JACE_LIBM1(cosh)
JACE_LIBM1(tanh)
JACE_LIBM1(asinh)
JACE_LIBM1(acosh)
JACE_LIBM1(atanh)
JACE_LIBM1(cbrt)
JACE_LIBM1(erf)
JACE_LIBM1(erfc)
JACE_LIBM1(tgamma)
JACE_LIBM1(lgamma)
JACE_LIBM2(pow)
JACE_LIBM2(atan2)
JACE_LIBM2(hypot)
JACE_LIBM2(fmod)
#undef JACE_LIBM1
#undef JACE_LIBM2

// Complex functions: Thrust's, which CUDA brings.
#define JACE_LIBM_COMPLEX(NAME)                                                                                  \
  static inline c128 c##NAME(c128 x) { return bit_cast<c128>(thrust::NAME(bit_cast<thrust::complex<f64>>(x))); } \
  static inline c64 c##NAME(c64 x) { return bit_cast<c64>(thrust::NAME(bit_cast<thrust::complex<f32>>(x))); }
JACE_LIBM_COMPLEX(exp)
JACE_LIBM_COMPLEX(log)
JACE_LIBM_COMPLEX(sqrt)
JACE_LIBM_COMPLEX(sin)
JACE_LIBM_COMPLEX(cos)
JACE_LIBM_COMPLEX(tan)
JACE_LIBM_COMPLEX(sinh)
JACE_LIBM_COMPLEX(cosh)
JACE_LIBM_COMPLEX(tanh)
JACE_LIBM_COMPLEX(asin)
JACE_LIBM_COMPLEX(acos)
JACE_LIBM_COMPLEX(atan)
JACE_LIBM_COMPLEX(asinh)
JACE_LIBM_COMPLEX(acosh)
JACE_LIBM_COMPLEX(atanh)
#undef JACE_LIBM_COMPLEX

}  // namespace jace::libm
#endif

// jace runtime, optional part: matrix products through SciPy's BLAS.
#ifndef JACE_RUNTIME_BLAS
#define JACE_RUNTIME_BLAS

namespace jace::blas {

template <class T>
using gemm_type = void(const char*, const char*, const i32* m, const i32* n, const i32* k, const T* alpha, const T* a,
                       const i32* lda, const T* b, const i32* ldb, const T* beta, T* c, const i32* ldc);

// c = a b for row-major c[m][n] with rows `ldc` apart; a[m][k] has rows `lda` apart, or, if `a_turned`, is the transpose
// of such a matrix; b[k][n] likewise. BLAS is column-major, hence computes the transpose of all.
template <class T>
static inline void gemm(void* function, i32 m, i32 n, i32 k, const T* a, bool a_turned, i32 lda, const T* b, bool b_turned,
                        i32 ldb, T* c, i32 ldc) {
  const T one = real_constant<T>(1), zero = real_constant<T>(0);
  ((gemm_type<T>*)function)(b_turned ? "T" : "N", a_turned ? "T" : "N", &n, &m, &k, &one, b, &ldb, a, &lda, &zero, c, &ldc);
}

}  // namespace jace::blas
#endif

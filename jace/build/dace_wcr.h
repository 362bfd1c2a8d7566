// Write-conflict resolution, as DaCe's generated code asks for it; few programs have one.
namespace dace {
#ifndef __CUDACC__
enum class ReductionType { Min, Max, Sum, Product, Logical_And, Bitwise_And, Logical_Or, Bitwise_Or, Bitwise_Xor };
#endif

template <typename T> struct wcr_custom {
  template <typename F> static inline T reduce(F f, T *ptr, const T &value) {
    T old = *ptr;
    *ptr = f(old, value);
    return old;
  }
  template <typename F> static inline T reduce_atomic(F f, T *ptr, const T &value) {
#ifdef __CUDA_ARCH__
    return jace::atomically(f, ptr, value);
#else
    T old;
#pragma omp critical
    { old = reduce(f, ptr, value); }
    return old;
#endif
  }
};

template <ReductionType TYPE, typename T> struct wcr_fixed {
  static inline T combined(T a, T b) {
    if constexpr (TYPE == ReductionType::Min) return jace::min(a, b);
    else if constexpr (TYPE == ReductionType::Max) return jace::max(a, b);
    else if constexpr (TYPE == ReductionType::Sum) return jace::add(a, b);
    else if constexpr (TYPE == ReductionType::Product) return jace::mul(a, b);
    else if constexpr (TYPE == ReductionType::Logical_And) return T(a && b);
    else if constexpr (TYPE == ReductionType::Bitwise_And) return T(a & b);
    else if constexpr (TYPE == ReductionType::Logical_Or) return T(a || b);
    else if constexpr (TYPE == ReductionType::Bitwise_Or) return T(a | b);
    else return T(a ^ b);
  }
  static inline T reduce(T *ptr, const T &value) { return wcr_custom<T>::reduce(combined, ptr, value); }
  static inline T reduce_atomic(T *ptr, const T &value) {
    return wcr_custom<T>::reduce_atomic(combined, ptr, value);
  }
};
}  // namespace dace

// What DaCe's generated CPU code needs, without a single system header: parsing headers is most of what compiling a
// small program costs. Anything missing here is not an error: the driver then compiles against <dace/dace.h>.
#define DACE_EXPORTED extern "C"
#define DACE_HDFI inline
#define DACE_CONSTEXPR constexpr
#define DACE_ALIGN(N) __attribute__((aligned(N)))
#define DACE_PRAGMA(x) _Pragma(#x)
#define __DACE_UNROLL

typedef __SIZE_TYPE__ size_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;

extern "C" void *memcpy(void *, const void *, size_t) noexcept;
extern "C" void *memset(void *, int, size_t) noexcept;

namespace std {
enum class align_val_t : size_t {};
}  // namespace std
void *operator new[](size_t, std::align_val_t);
void operator delete[](void *, std::align_val_t) noexcept;

namespace dace {
typedef bool bool_;
typedef int8_t int8;
typedef int16_t int16;
typedef int32_t int32;
typedef int64_t int64;
typedef uint8_t uint8;
typedef uint16_t uint16;
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef unsigned int uint;
typedef float float32;
typedef double float64;

template <typename T> inline T *aligned_new_array(size_t size, size_t alignment) {
  return static_cast<T *>(::operator new[](size * sizeof(T), static_cast<std::align_val_t>(alignment)));
}
template <typename T> inline void aligned_delete_array(T *ptr, size_t alignment) {
  ::operator delete[](ptr, static_cast<std::align_val_t>(alignment));
}

// Copies. VECLEN is 1 everywhere in what we generate; T is trivially copyable.
template <typename T, int VECLEN> inline void CopyImpl(const T *src, T *dst, int n) {
  memcpy(dst, src, static_cast<size_t>(n) * VECLEN * sizeof(T));
}
template <typename T, int COPYDIM, int VECLEN> inline void CopyImpl(const T *src, T *dst) {
  memcpy(dst, src, static_cast<size_t>(COPYDIM) * VECLEN * sizeof(T));
}
template <typename T, typename U> inline void InitArray(T *ptr, const U &value, int size) {
  for (int i = 0; i < size; ++i) ptr[i] = T(value);
}

template <typename T, int VECLEN, int ALIGNED, int... DIMS> struct CopyND;
template <typename T, int VECLEN, int ALIGNED, int DIM, int... DIMS>
struct CopyND<T, VECLEN, ALIGNED, DIM, DIMS...> {
  typedef CopyND<T, VECLEN, ALIGNED, DIMS...> Inner;
  template <int SRC, int... SRCS> struct ConstSrc {
    template <typename... Args> static inline void Copy(const T *src, T *dst, int64_t stride, Args... rest) {
      for (int i = 0; i < DIM; ++i)
        Inner::template ConstSrc<SRCS...>::Copy(src + i * int64_t(SRC), dst + i * stride, rest...);
    }
    template <typename F, typename... Args>
    static inline void Accumulate(const T *src, T *dst, F f, int64_t stride, Args... rest) {
      for (int i = 0; i < DIM; ++i)
        Inner::template ConstSrc<SRCS...>::Accumulate(src + i * int64_t(SRC), dst + i * stride, f, rest...);
    }
  };
  template <int DST, int... DSTS> struct ConstDst {
    template <typename... Args> static inline void Copy(const T *src, T *dst, int64_t stride, Args... rest) {
      for (int i = 0; i < DIM; ++i)
        Inner::template ConstDst<DSTS...>::Copy(src + i * stride, dst + i * int64_t(DST), rest...);
    }
    template <typename F, typename... Args>
    static inline void Accumulate(const T *src, T *dst, F f, int64_t stride, Args... rest) {
      for (int i = 0; i < DIM; ++i)
        Inner::template ConstDst<DSTS...>::Accumulate(src + i * stride, dst + i * int64_t(DST), f, rest...);
    }
  };
  struct Dynamic {
    template <typename... Args>
    static inline void Copy(const T *src, T *dst, int64_t from, int64_t to, Args... rest) {
      for (int i = 0; i < DIM; ++i) Inner::Dynamic::Copy(src + i * from, dst + i * to, rest...);
    }
    template <typename F, typename... Args>
    static inline void Accumulate(const T *src, T *dst, F f, int64_t from, int64_t to, Args... rest) {
      for (int i = 0; i < DIM; ++i) Inner::Dynamic::Accumulate(src + i * from, dst + i * to, f, rest...);
    }
  };
};
template <typename T, int VECLEN, int ALIGNED> struct CopyND<T, VECLEN, ALIGNED> {
  struct Leaf {
    static inline void Copy(const T *src, T *dst) {
      for (int i = 0; i < VECLEN; ++i) dst[i] = src[i];
    }
    template <typename F> static inline void Accumulate(const T *src, T *dst, F f) {
      for (int i = 0; i < VECLEN; ++i) dst[i] = f(dst[i], src[i]);
    }
  };
  template <int...> struct ConstSrc : Leaf {};
  template <int...> struct ConstDst : Leaf {};
  struct Dynamic : Leaf {};
};

template <typename T, int VECLEN, int ALIGNED, int N> struct CopyNDDynamic {
  struct Dynamic {
    template <typename... Dims> static inline void Copy(const T *src, T *dst, Dims... dims) {
      const int64_t d[] = {static_cast<int64_t>(dims)...};
      copy(src, dst, d, d + N, d + 2 * N, 0);
    }
    static inline void copy(const T *src, T *dst, const int64_t *n, const int64_t *from, const int64_t *to, int k) {
      if (k == N) {
        for (int i = 0; i < VECLEN; ++i) dst[i] = src[i];
        return;
      }
      for (int64_t i = 0; i < n[k]; ++i) copy(src + i * from[k], dst + i * to[k], n, from, to, k + 1);
    }
  };
};
}  // namespace dace

// Integer helpers of DaCe's symbolic expressions (subsets, loop bounds, interstate edges).
template <typename A, typename B> inline constexpr auto int_floor(A a, B b) {
  auto q = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}
template <typename A, typename B> inline constexpr auto int_ceil(A a, B b) { return -int_floor(-a, b); }
template <typename A, typename B> inline constexpr auto min(A a, B b) {
  return a < b ? static_cast<decltype(a + b)>(a) : static_cast<decltype(a + b)>(b);
}
template <typename A, typename B> inline constexpr auto max(A a, B b) {
  return a > b ? static_cast<decltype(a + b)>(a) : static_cast<decltype(a + b)>(b);
}
template <typename A, typename B, typename... R> inline constexpr auto min(A a, B b, R... r) {
  return min(min(a, b), r...);
}
template <typename A, typename B, typename... R> inline constexpr auto max(A a, B b, R... r) {
  return max(max(a, b), r...);
}

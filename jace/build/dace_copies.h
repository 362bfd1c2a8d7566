// Copies of several dimensions, as DaCe's generated code asks for them; few programs have one.
namespace dace {
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

// Copies of several dimensions, as DaCe's generated code asks for them where strides are constants; few programs have
// one. What a pass of somebody's makes besides is compiled with DaCe's own headers (`drivers`).
namespace dace {
template <typename T, int VECLEN, int ALIGNED, int... DIMS> struct CopyND;
template <typename T, int VECLEN, int ALIGNED, int DIM, int... DIMS>
struct CopyND<T, VECLEN, ALIGNED, DIM, DIMS...> {
  typedef CopyND<T, VECLEN, ALIGNED, DIMS...> Inner;
  template <int DST, int... DSTS> struct ConstDst {
    template <typename... Args> static inline void Copy(const T *src, T *dst, int64_t stride, Args... rest) {
      for (int i = 0; i < DIM; ++i)
        Inner::template ConstDst<DSTS...>::Copy(src + i * stride, dst + i * int64_t(DST), rest...);
    }
  };
};
template <typename T, int VECLEN, int ALIGNED> struct CopyND<T, VECLEN, ALIGNED> {
  template <int...> struct ConstDst {
    static inline void Copy(const T *src, T *dst) {
      for (int i = 0; i < VECLEN; ++i) dst[i] = src[i];
    }
  };
};
}  // namespace dace

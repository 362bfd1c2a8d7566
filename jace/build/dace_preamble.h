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

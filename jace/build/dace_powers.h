// Powers in DaCe's symbolic expressions: the stride of an array of two equal extents that are a symbol.
namespace dace::math {
template <typename T> inline constexpr T ipow(T base, unsigned exponent) {
  T result = 1;
  for (unsigned i = 0; i < exponent; ++i) result *= base;
  return result;
}
}  // namespace dace::math
using dace::math::ipow;

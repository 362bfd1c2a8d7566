// Write-conflict resolution among a GPU's threads, for every type: DaCe's own takes those that CUDA's atomicMin,
// atomicCAS and their kin are overloaded for, so that none of 8 or 16 bits, no `long` and no complex number compiles
// (corpus/dace/resolution_on_gpu.py). Here the word that the value lies in is compared and swapped.
namespace jace {

template <int BYTES>
struct word_of;
template <>
struct word_of<1> { using type = u8; };
template <>
struct word_of<2> { using type = u16; };
template <>
struct word_of<4> { using type = u32; };
template <>
struct word_of<8> { using type = unsigned long long; };

__device__ int lock_of_wide_values;

template <class T, class F>
__device__ T atomically(F combined, T *at, const T &value) {
  if constexpr (sizeof(T) < 4) {
    using bits = typename word_of<sizeof(T)>::type;
    const u64 address = u64(at);
    u32 *word = reinterpret_cast<u32 *>(address & ~u64(3));
    const int shift = 8 * int(address & 3);
    const u32 mask = u32(bits(~bits(0))) << shift;
    u32 seen = *const_cast<volatile u32 *>(word), before;
    T old;
    do {
      before = seen;
      old = bit_cast<T>(bits(before >> shift));
      seen = atomicCAS(word, before, (before & ~mask) | u32(bit_cast<bits>(T(combined(old, value)))) << shift);
    } while (seen != before);
    return old;
  } else if constexpr (sizeof(T) <= 8) {
    using bits = typename word_of<sizeof(T)>::type;
    bits *word = reinterpret_cast<bits *>(at);
    bits seen = *const_cast<volatile bits *>(word), before;
    T old;
    do {
      before = seen;
      old = bit_cast<T>(before);
      seen = atomicCAS(word, before, bit_cast<bits>(T(combined(old, value))));
    } while (seen != before);
    return old;
  } else {
    T old;
    for (bool done = false; !done;) {
      if (atomicCAS(&lock_of_wide_values, 0, 1) != 0) continue;
      __threadfence();
      for (int i = 0; i < int(sizeof(T) / 8); ++i)  // past the caches
        reinterpret_cast<u64 *>(&old)[i] = reinterpret_cast<volatile u64 *>(at)[i];
      *at = combined(old, value);
      __threadfence();
      atomicExch(&lock_of_wide_values, 0);
      done = true;
    }
    return old;
  }
}

}  // namespace jace

// jace runtime, part 9: stable sorting of index permutations.
#ifndef JACE_RUNTIME_SORT
#define JACE_RUNTIME_SORT

namespace jace {

// Stable bottom-up merge sort of order[0..n) by less(a, b) on the values of `order`; scratch holds n indices.
template <class Less>
static inline void stable_sort(i64* order, i64* scratch, i64 n, Less less) {
  const i64 run = 16;
  for (i64 first = 0; first < n; first += run) {
    i64 last = first + run < n ? first + run : n;
    for (i64 i = first + 1; i < last; ++i) {
      i64 item = order[i], j = i;
      for (; j > first && less(item, order[j - 1]); --j) order[j] = order[j - 1];
      order[j] = item;
    }
  }
  i64* from = order;
  i64* to = scratch;
  for (i64 width = run; width < n; width *= 2) {
    for (i64 first = 0; first < n; first += 2 * width) {
      i64 middle = first + width < n ? first + width : n;
      i64 last = first + 2 * width < n ? first + 2 * width : n;
      i64 a = first, b = middle;
      for (i64 k = first; k < last; ++k)
        to[k] = a < middle && (b >= last || !less(from[b], from[a])) ? from[a++] : from[b++];
    }
    i64* swap = from;
    from = to;
    to = swap;
  }
  if (from != order)
    for (i64 k = 0; k < n; ++k) order[k] = from[k];
}

}  // namespace jace
#endif

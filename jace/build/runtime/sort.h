// jace runtime, part 9: sorting of index permutations.
#ifndef JACE_RUNTIME_SORT
#define JACE_RUNTIME_SORT

namespace jace::sort {

// Stable bottom-up merge sort of order[0..n) by less(a, b) on the values of `order`; scratch holds n indices.
template <class Less>
static inline void stable(i64* order, i64* scratch, i64 n, Less less) {
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

// Introsort (Musser 1997) of order[0..n). Equal elements end up in some order: in the one that GNU's std::sort
// leaves, which is what XLA CPU sorts with when it need not be stable: median of the second, middle and last
// element moved to the front as pivot, runs of at most 16 left to one final insertion sort, heapsort below depth
// 2 log2 n. Scans stop at the ends, also for a `less` that is no order (NaN).
template <class Less>
struct introsort {
  i64* v;
  i64 n;
  Less less;

  void swap(i64 a, i64 b) {
    i64 item = v[a];
    v[a] = v[b];
    v[b] = item;
  }
  void insert(i64 i, i64 item) {  // item before v[0] goes to the front at once, also if something in between stops it
    i64 j = i;
    for (; j > 0 && less(item, v[j - 1]); --j) v[j] = v[j - 1];
    v[j] = item;
  }
  void insert_first(i64 i) {
    i64 item = v[i];
    if (!less(item, v[0])) return insert(i, item);
    for (i64 j = i; j > 0; --j) v[j] = v[j - 1];
    v[0] = item;
  }
  i64 median(i64 a, i64 b, i64 c) {
    if (less(v[a], v[b])) return less(v[b], v[c]) ? b : less(v[a], v[c]) ? c : a;
    return less(v[a], v[c]) ? a : less(v[b], v[c]) ? c : b;
  }
  i64 partition(i64 first, i64 last) {
    swap(first, median(first + 1, first + (last - first) / 2, last - 1));
    i64 low = first + 1, high = last;
    for (;; ++low) {
      while (low < n && less(v[low], v[first])) ++low;
      --high;
      while (high > 0 && less(v[first], v[high])) --high;
      if (low >= high) return low;
      swap(low, high);
    }
  }
  // Moves a hole down to a leaf and lets `item` rise from there.
  void sift(i64* heap, i64 hole, i64 size, i64 item) {
    i64 top = hole, child = hole;
    while (child < (size - 1) / 2) {
      child = 2 * (child + 1);
      child -= less(heap[child], heap[child - 1]);
      heap[hole] = heap[child];
      hole = child;
    }
    if (size % 2 == 0 && child == (size - 2) / 2) {
      child = 2 * child + 1;
      heap[hole] = heap[child];
      hole = child;
    }
    for (i64 parent = (hole - 1) / 2; hole > top && less(heap[parent], item); parent = (hole - 1) / 2) {
      heap[hole] = heap[parent];
      hole = parent;
    }
    heap[hole] = item;
  }
  void heapsort(i64 first, i64 last) {
    i64* heap = v + first;
    i64 size = last - first;
    for (i64 parent = (size - 2) / 2; parent >= 0; --parent) sift(heap, parent, size, heap[parent]);
    while (size > 1) {
      --size;
      i64 item = heap[size];
      heap[size] = heap[0];
      sift(heap, 0, size, item);
    }
  }
  void split(i64 first, i64 last, i64 depth) {
    while (last - first > 16) {
      if (depth-- == 0) return heapsort(first, last);
      i64 cut = partition(first, last);
      split(cut, last, depth);
      last = cut;
    }
  }
  void run() {
    if (n > 1) split(0, n, 2 * (63 - __builtin_clzl(u64(n))));
    for (i64 i = 1; i < n; ++i) {
      if (i < 16) insert_first(i);
      else insert(i, v[i]);
    }
  }
};
template <class Less>
static inline void unstable(i64* order, i64 n, Less less) {
  introsort<Less>{order, n, less}.run();
}

// The first k of the stable order of order[0..n) in order[0..k), by insertion: for k that are small beside n.
template <class Less>
static inline void first(i64* order, i64 n, i64 k, Less less) {
  for (i64 i = 1; i < n; ++i) {
    i64 item = order[i];
    if (i >= k && !less(item, order[k - 1])) continue;
    i64 j = i < k ? i : k - 1;
    for (; j > 0 && less(item, order[j - 1]); --j) order[j] = order[j - 1];
    order[j] = item;
  }
}

// What top_k compares: the bits in order of value, so that NaN > inf > ... > 0 > -0 > ... > -inf > -NaN.
template <class T>
static inline auto total_order(T x) {
  if constexpr (is_float<T>) {
    auto bits = bit_cast<sint_of<T>>(x);
    return sint_of<T>(bits < 0 ? bits ^ max_value<sint_of<T>>() : bits);
  } else {
    return x;
  }
}

}  // namespace jace::sort
#endif

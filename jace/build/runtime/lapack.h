// jace runtime, optional part: calls of LAPACK and BLAS, and what surrounds them.
// LAPACK takes every argument by pointer and matrices by columns; arrays of a program are stored by rows.
#ifndef JACE_RUNTIME_LAPACK
#define JACE_RUNTIME_LAPACK

namespace jace::lapack {

template <class T>
static inline const T* pointer(const T& number) {
  return &number;
}
template <class T>
static inline T* pointer(T* const& array) {
  return array;
}
template <class... A>
static inline void call(void* routine, A... arguments) {
  reinterpret_cast<void (*)(decltype(pointer(arguments))...)>(routine)(pointer(arguments)...);
}

template <class T>
static inline T not_a_number() {
  if constexpr (is_complex<T>) return T{nan<typename traits<T>::real>(), nan<typename traits<T>::real>()};
  else return nan<T>();
}

// out[j * rows + i] = element(i, j), in tiles that fit the cache.
template <class Element, class Out>
static inline void by_columns(Element element, i64 rows, i64 columns, Out* out) {
  constexpr i64 tile = 16;
  for (i64 i0 = 0; i0 < rows; i0 += tile) {
    const i64 i1 = i0 + tile < rows ? i0 + tile : rows;
    for (i64 j0 = 0; j0 < columns; j0 += tile) {
      const i64 j1 = j0 + tile < columns ? j0 + tile : columns;
      for (i64 j = j0; j < j1; ++j)
        for (i64 i = i0; i < i1; ++i) out[j * rows + i] = element(i, j);
    }
  }
}
template <class In, class Out>
static inline void transpose(const In* in, i64 rows, i64 columns, Out* out) {
  by_columns([=](i64 i, i64 j) { return convert<Out>(in[i * columns + j]); }, rows, columns, out);
}

// A result stored by columns goes to `out`, or NaN where the routine failed.
template <class In, class Out>
static inline void give(bool good, const In* in, i64 rows, i64 columns, Out* out) {
  if (good) return transpose(in, columns, rows, out);
  for (i64 k = 0; k < rows * columns; ++k) out[k] = not_a_number<Out>();
}
// A vector that the routine wrote in place.
template <class T>
static inline void check(bool good, i64 n, T* x) {
  if (good) return;
  for (i64 k = 0; k < n; ++k) x[k] = not_a_number<T>();
}

template <class T>
static inline void copy(const T* in, i64 n, T* out) {
  for (i64 k = 0; k < n; ++k) out[k] = in[k];
}
template <class T>
static inline void conjugate(T* x, i64 n) {
  for (i64 k = 0; k < n; ++k) x[k] = conj_(x[k]);
}
template <class T>
static inline void identity(T* x, i64 n) {
  for (i64 k = 0; k < n * n; ++k) x[k] = real_constant<T>(k % (n + 1) == 0);
}
template <class T>
static inline bool all_finite(const T* x, i64 n) {
  if constexpr (is_complex<T>) return all_finite(reinterpret_cast<const typename traits<T>::real*>(x), 2 * n);
  else {
    bool good = true;
    for (i64 k = 0; k < n; ++k) good &= x[k] - x[k] == T(0);
    return good;
  }
}

// getrf's row swaps, counted from 1, become swaps counted from 0 and the permutation of n rows they amount to.
static inline void permutation(i32* swaps, i64 count, i32* rows, i64 n) {
  for (i64 k = 0; k < n; ++k) rows[k] = i32(k);
  for (i64 k = 0; k < count; ++k) {
    const i32 other = --swaps[k], row = rows[k];
    rows[k] = rows[other];
    rows[other] = row;
  }
}

// What LAPACKE's potrf and getrf do with matrices by rows: the factor goes to `out`, which may be `in`; answers `info`.
template <class T>
static inline i32 potrf(void* routine, const T* in, T* out, i64 n) {
  scratch<T> columns(n * n);
  i32 info = 0;
  transpose(in, n, n, columns.data);
  call(routine, "L", i32(n), columns.data, i32(n), &info);
  transpose(columns.data, n, n, out);
  return info;
}
template <class T>
static inline i32 getrf(void* routine, const T* in, T* out, i64 rows, i64 columns, i32* swaps) {
  scratch<T> by_columns(rows * columns);
  i32 info = 0;
  transpose(in, rows, columns, by_columns.data);
  call(routine, i32(rows), i32(columns), by_columns.data, i32(rows), swaps, &info);
  transpose(by_columns.data, columns, rows, out);
  return info;
}

// geev's eigenvalues as complex numbers.
template <class R>
static inline void join(bool good, const R* re, const R* im, i64 n, complex<R>* out) {
  for (i64 k = 0; k < n; ++k) out[k] = complex<R>{re[k], im[k]};
  check(good, n, out);
}
// geev's eigenvectors by columns: a conjugate pair shares two columns, its real and its imaginary part.
template <class R>
static inline void give_pairs(bool good, const R* packed, const R* im, i64 n, complex<R>* out) {
  if (!good) return check(good, n * n, out);
  for (i64 j = 0; j < n; ++j) {
    const bool pair = im[j] != R(0) && im[j] == im[j];
    for (i64 i = 0; i < n; ++i) {
      const R re = packed[j * n + i], part = pair ? packed[(j + 1) * n + i] : R(0);
      out[i * n + j] = complex<R>{re, part};
      if (pair) out[i * n + j + 1] = complex<R>{re, -part};
    }
    j += pair;
  }
}

// The smallest number whose reciprocal is finite, and that reciprocal.
template <class R>
static constexpr R safe_minimum = same<R, f32> ? R(1.17549435082228750797e-38) : R(2.22507385850720138309e-308);
template <class R>
static constexpr R machine_epsilon = same<R, f32> ? R(1.1920928955078125e-7) : R(2.220446049250313e-16);

template <class T>
static inline auto real_part(T x) {
  if constexpr (is_complex<T>) return x.re;
  else return x;
}

// xLAGTS: moves a pivot away from zero until no element of `row` overflows when divided by it. `step` is the size of the
// first move. (What LAPACK does about subnormal pivots is left out: here they are zeros.)
template <class T, class R>
static inline T perturbed_pivot(T pivot, R step, const T* row, i64 columns) {
  constexpr R least = safe_minimum<R>, most = R(1) / least;
  R largest = 0;
  for (i64 j = 0; j < columns; ++j) largest = max(largest, abs(row[j]));
  step = abs(step) > least ? abs(step) : least;
  step = copysign_of(step, real_part(pivot));
  for (R size = abs(pivot); size < R(1); size = abs(pivot)) {
    if (size >= least && largest <= size * most) break;
    pivot += real_constant<T>(step);
    step *= 2;
  }
  return pivot;
}

// Solves T X = B in place of B (n x columns, by rows) for the tridiagonal T whose row i is lower[i], diagonal[i],
// upper[i]. LAPACK's xLAGTF and xLAGTS in one pass: Gaussian elimination that swaps neighbouring rows, with pivots near
// zero moved by about epsilon * max |U|, so that a singular T has a finite X. u holds the three diagonals of U (3 n).
template <class T>
static inline void solve_tridiagonal_perturbed(i64 n, i64 columns, const T* lower, const T* diagonal, const T* upper,
                                               T* x, T* u) {
  using R = decltype(real_part(T()));
  const T zero = real_constant<T>(0);
  T *first = u, *second = u + n, *third = u + 2 * n;
  for (i64 k = 0; k < 3 * n; ++k) u[k] = zero;
  first[0] = diagonal[0];
  if (n > 1) second[0] = upper[0];
  R largest = max(abs(first[0]), abs(second[0]));
  R scale = abs(first[0]) + abs(second[0]);
  for (i64 k = 0; k < n - 1; ++k) {
    const T below = lower[k + 1], next = diagonal[k + 1], after = k < n - 2 ? upper[k + 1] : zero;
    const R next_scale = abs(below) + abs(next) + abs(after);
    T *here = x + k * columns, *there = here + columns;
    first[k + 1] = next, second[k + 1] = after;
    if (below == zero) {
      scale = next_scale;
    } else if (first[k] != zero && abs(below) / next_scale <= abs(first[k]) / scale) {
      const T factor = below / first[k];
      first[k + 1] = next - factor * second[k];
      for (i64 j = 0; j < columns; ++j) there[j] = there[j] - factor * here[j];
      scale = next_scale;
    } else {
      const T factor = first[k] / below;
      first[k + 1] = second[k] - factor * next, second[k + 1] = -(factor * after);
      first[k] = below, second[k] = next, third[k] = after;
      for (i64 j = 0; j < columns; ++j) {
        const T value = here[j];
        here[j] = there[j], there[j] = value - factor * there[j];
      }
      scale = abs(first[k + 1]) + abs(second[k + 1]);
    }
    if (k < n - 2) largest = max(max(largest, abs(first[k])), max(abs(second[k]), abs(third[k])));
  }
  if (n > 1) largest = max(largest, abs(first[n - 1]));
  const R step = machine_epsilon<R> * largest;
  for (i64 k = n - 1; k >= 0; --k) {
    T* row = x + k * columns;
    if (k < n - 1)
      for (i64 j = 0; j < columns; ++j) row[j] = row[j] - second[k] * row[columns + j];
    if (k < n - 2)
      for (i64 j = 0; j < columns; ++j) row[j] = row[j] - third[k] * row[2 * columns + j];
    const T pivot = perturbed_pivot(first[k], step, row, columns);
    const T inverse = real_constant<T>(1) / pivot;
    for (i64 j = 0; j < columns; ++j) row[j] = row[j] * inverse;
  }
}

}  // namespace jace::lapack
#endif

// GCC's entry to a parallel region, wrapped: the threads of a team take turns, the last one first, or begin at once.
//
// Loaded before the programs, it stands in the way of libgomp's function. Any order is a correct one for code without
// a race, so nothing that is right gets wrong. In turns, iterations that need one another do not see what those before
// did; at once, they see one another's intermediate results.

#include <atomic>
#include <dlfcn.h>
#include <semaphore.h>
#include <time.h>

namespace {

using Body = void (*)(void *);
using Parallel = void (*)(Body, void *, unsigned, unsigned);
using Number = int (*)();

constexpr int kMost = 64;      // threads whose turns are kept
constexpr long kAll = 1000;    // regions of a run whose threads take turns; then every kEach-th: turns cost 0.1 ms
constexpr long kEach = 17;
constexpr long kAtOnce = 30;   // regions of a run that begin at once: each may take milliseconds
constexpr int kPatience = 1;   // seconds that a thread waits for its turn

thread_local long regions = 0;  // entered by this thread
thread_local long left = -1;    // -1: as they come; else regions of this run so far
std::atomic<bool> stuck{false};  // a team that waits for all of its threads inside (a barrier) cannot take turns

thread_local bool abreast = false;  // the threads of a team begin at once, rather than in turn
constexpr long kSpin = 1000000;     // looks at whether all are there: a millisecond, in which a thread wakes up

struct Team {
  Body body;
  void *data;
  Number thread, threads;
  sem_t turn[kMost];
  std::atomic<int> here{0};
};

void at_once(void *argument) {
  Team &team = *static_cast<Team *>(argument);
  const int all = team.threads();
  team.here.fetch_add(1);
  for (long spins = 0; team.here.load(std::memory_order_relaxed) < all && spins < kSpin; ++spins) {}
  team.body(team.data);
}

void in_turn(void *argument) {
  Team &team = *static_cast<Team *>(argument);
  const int mine = team.thread(), all = team.threads();
  const bool taking = all <= kMost;
  if (taking && mine < all - 1 && !stuck) {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += kPatience;
    if (sem_timedwait(&team.turn[mine], &until) != 0) stuck = true;
  }
  team.body(team.data);
  if (taking && mine > 0) sem_post(&team.turn[mine - 1]);
}

// The runtime that the library of `body` is linked with (there may be several in a process).
void *runtime_of(Body body) {
  Dl_info place;
  void *library = dladdr(reinterpret_cast<void *>(body), &place) != 0
                      ? dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                      : nullptr;
  return library != nullptr ? library : dlopen("libgomp.so.1", RTLD_LAZY);
}

}  // namespace

extern "C" {

void GOMP_parallel(Body body, void *data, unsigned threads, unsigned flags) {
  void *runtime = runtime_of(body);
  const auto parallel = reinterpret_cast<Parallel>(dlsym(runtime, "GOMP_parallel"));
  const auto thread = reinterpret_cast<Number>(dlsym(runtime, "omp_get_thread_num"));
  const auto all = reinterpret_cast<Number>(dlsym(runtime, "omp_get_num_threads"));
  regions += threads != 1;
  if (left < 0 || threads == 1) {
    parallel(body, data, threads, flags);
  } else if (stuck || (abreast ? left >= kAtOnce : left >= kAll && left % kEach != 0)) {
    ++left;
    parallel(body, data, 1, flags);
  } else {
    Team team{body, data, thread, all, {}, {0}};
    for (sem_t &turn : team.turn) sem_init(&turn, 0, 0);
    const long known = left + 1;
    left = -1;  // regions inside of it are as they come
    parallel(abreast ? at_once : in_turn, &team, threads, flags);
    left = known;
    for (sem_t &turn : team.turn) sem_destroy(&turn);
  }
  dlclose(runtime);
}

long jace_repro_regions() { return regions; }

void jace_repro_order(int order) {  // 0: as they come, 1: in turn, 2: at once
  left = order != 0 ? 0 : -1;
  abreast = order == 2;
  stuck = false;
}
}

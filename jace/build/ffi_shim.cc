// The one XLA FFI handler of jace and its program registry, on the plain C header of XLA's FFI.
//
// A program is registered under a 64-bit content key when its library is loaded; a custom call carries that key as its
// only attribute (never a pointer: XLA may cache the compiled module on disk and load it into another process).
// DaCe keeps persistent transients in the state struct behind the handle, so two calls must never share one: every
// program has a lock-free pool of handles.
#include "xla/ffi/api/c_api.h"

namespace {

struct Program {
  uint64_t key;
  void (*call)(void *, void *const *);
  void *(*init)();
  void (*exit)(void *);
  int64_t n_inputs;
  int64_t n_outputs;
  Program *next;
  uint64_t calls;  // that came back, for whoever wants to know that the code ran
  void *pool[64];
};

struct External {
  const char *name;
  void *address;
  External *next;
};

External *g_externals;

// What a program gets for a name that nobody provided: calling it ends the call with an error instead of a crash.
[[noreturn]] void missing() { throw "jace: an external function was not resolved before its program was loaded"; }

constexpr int kBuckets = 4096;
constexpr int kPool = 64;
Program *g_buckets[kBuckets];

Program *find(uint64_t key) {
  Program *p = __atomic_load_n(&g_buckets[key % kBuckets], __ATOMIC_ACQUIRE);
  while (p != nullptr && p->key != key) p = p->next;
  return p;
}

void *acquire(Program *p) {
  for (int i = 0; i < kPool; ++i) {
    if (__atomic_load_n(&p->pool[i], __ATOMIC_RELAXED) == nullptr) continue;
    void *handle = __atomic_exchange_n(&p->pool[i], nullptr, __ATOMIC_ACQUIRE);
    if (handle != nullptr) return handle;
  }
  return p->init();
}

void release(Program *p, void *handle) {
  for (int i = 0; i < kPool; ++i) {
    void *expected = nullptr;
    if (__atomic_compare_exchange_n(&p->pool[i], &expected, handle, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) return;
  }
  p->exit(handle);
}

enum Status { kOk = 0, kNoHandle = 1, kException = 2 };

Status execute(Program *p, void *const *buffers) {
  try {
    void *handle = acquire(p);
    if (handle == nullptr) return kNoHandle;
    try {
      p->call(handle, buffers);
    } catch (...) {
      // The state of this handle is unknown now: drop it instead of returning it to the pool.
      return kException;
    }
    release(p, handle);
    __atomic_fetch_add(&p->calls, 1, __ATOMIC_RELAXED);
    return kOk;
  } catch (...) {
    return kNoHandle;
  }
}

XLA_FFI_Error *error(const XLA_FFI_Api *api, const char *message, XLA_FFI_Error_Code code) {
  XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, nullptr, message, code};
  return api->XLA_FFI_Error_Create(&args);
}

bool read_key(const XLA_FFI_Attrs &attrs, uint64_t *key) {
  for (int64_t i = 0; i < attrs.size; ++i) {
    const XLA_FFI_ByteSpan *name = attrs.names[i];
    if (name->len != 3 || name->ptr[0] != 'k' || name->ptr[1] != 'e' || name->ptr[2] != 'y') continue;
    if (attrs.types[i] != XLA_FFI_AttrType_SCALAR) return false;
    const auto *scalar = static_cast<const XLA_FFI_Scalar *>(attrs.attrs[i]);
    if (scalar->dtype != XLA_FFI_DataType_U64 && scalar->dtype != XLA_FFI_DataType_S64) return false;
    *key = *static_cast<const uint64_t *>(scalar->value);
    return true;
  }
  return false;
}

}  // namespace

#define JACE_EXPORT extern "C" __attribute__((visibility("default")))

// Returns 0. Registering a key again keeps the first program: equal keys mean equal content.
JACE_EXPORT int jace_register(uint64_t key, void *call, void *init, void *exit, int64_t n_inputs, int64_t n_outputs) {
  if (find(key) != nullptr) return 0;
  auto *p = new Program{key, reinterpret_cast<void (*)(void *, void *const *)>(call), reinterpret_cast<void *(*)()>(init),
                        reinterpret_cast<void (*)(void *)>(exit), n_inputs, n_outputs, nullptr, 0, {}};
  Program **head = &g_buckets[key % kBuckets];
  p->next = __atomic_load_n(head, __ATOMIC_ACQUIRE);
  while (!__atomic_compare_exchange_n(head, &p->next, p, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
  }
  return 0;
}

// Makes an external C function known to programs that are loaded later. `name` is copied.
JACE_EXPORT void jace_provide(const char *name, void *address) {
  const size_t length = __builtin_strlen(name) + 1;
  char *copy = static_cast<char *>(__builtin_memcpy(new char[length], name, length));
  auto *e = new External{copy, address, __atomic_load_n(&g_externals, __ATOMIC_ACQUIRE)};
  while (!__atomic_compare_exchange_n(&g_externals, &e->next, e, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
  }
}

// For programs: the address of an external C function.
JACE_EXPORT void *jace_external(const char *name) {
  for (const External *e = __atomic_load_n(&g_externals, __ATOMIC_ACQUIRE); e != nullptr; e = e->next)
    if (__builtin_strcmp(e->name, name) == 0) return e->address;
  return reinterpret_cast<void *>(&missing);
}

// For ctypes: the same execution without XLA. Returns a Status, or -1 for an unknown key.
JACE_EXPORT int jace_execute(uint64_t key, void *const *buffers) {
  Program *p = find(key);
  return p == nullptr ? -1 : static_cast<int>(execute(p, buffers));
}

// How often a program was called and came back.
JACE_EXPORT uint64_t jace_calls(uint64_t key) {
  Program *p = find(key);
  return p == nullptr ? 0 : __atomic_load_n(&p->calls, __ATOMIC_RELAXED);
}

// Frees the idle handles of a program (its persistent transients). Returns how many.
JACE_EXPORT int jace_trim(uint64_t key) {
  Program *p = find(key);
  int n = 0;
  for (int i = 0; p != nullptr && i < kPool; ++i) {
    void *handle = __atomic_exchange_n(&p->pool[i], nullptr, __ATOMIC_ACQUIRE);
    if (handle != nullptr) p->exit(handle), ++n;
  }
  return n;
}

JACE_EXPORT XLA_FFI_Error *jace_ffi_call(XLA_FFI_CallFrame *frame) {
  for (auto *ext = frame->extension_start; ext != nullptr; ext = ext->next) {
    if (ext->type != XLA_FFI_Extension_Metadata) continue;
    XLA_FFI_Metadata *metadata = reinterpret_cast<XLA_FFI_Metadata_Extension *>(ext)->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    return nullptr;
  }
  if (frame->stage != XLA_FFI_ExecutionStage_EXECUTE) return nullptr;
  uint64_t key = 0;
  if (!read_key(frame->attrs, &key))
    return error(frame->api, "jace_call: the custom call carries no 64-bit 'key'", XLA_FFI_Error_Code_INVALID_ARGUMENT);
  Program *p = find(key);
  if (p == nullptr)
    return error(frame->api,
                 "jace_call: this program is not loaded in this process (an exported or serialized module holds only "
                 "the key of its compiled SDFG; trace it with jace.jit here first)",
                 XLA_FFI_Error_Code_NOT_FOUND);
  const int64_t n_in = frame->args.size, n_out = frame->rets.size;
  if (n_in != p->n_inputs || n_out != p->n_outputs)
    return error(frame->api, "jace_call: wrong number of buffers for this program", XLA_FFI_Error_Code_INVALID_ARGUMENT);
  void *few[64];
  void **buffers = n_in + n_out <= 64 ? few : new void *[n_in + n_out];
  for (int64_t i = 0; i < n_in; ++i) buffers[i] = static_cast<XLA_FFI_Buffer *>(frame->args.args[i])->data;
  for (int64_t i = 0; i < n_out; ++i) buffers[n_in + i] = static_cast<XLA_FFI_Buffer *>(frame->rets.rets[i])->data;
  const Status status = execute(p, buffers);
  if (buffers != few) delete[] buffers;
  if (status == kNoHandle)
    return error(frame->api, "jace_call: out of memory for the program's temporaries", XLA_FFI_Error_Code_RESOURCE_EXHAUSTED);
  if (status == kException)
    return error(frame->api, "jace_call: a C++ exception left the compiled program", XLA_FFI_Error_Code_INTERNAL);
  return nullptr;
}

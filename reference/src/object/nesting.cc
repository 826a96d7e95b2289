// Where each thread counts how deep the ends of objects are nested: `deferred_end.rs`.

#include <cstdint>

namespace {

struct Nesting {
  std::uint32_t depth;
  bool has_postponed;
};

// In the part of a thread's memory that the loader sets up with the thread. What a library that is opened late takes of it is
// little: eight bytes of more than a thousand that are kept for such libraries. Rust has no name for this.
__attribute__((tls_model("initial-exec"))) thread_local Nesting nesting;

}  // namespace

extern "C" __attribute__((visibility("hidden"))) Nesting* tvm_ffi_nesting() { return &nesting; }

// story: An Error that has an extra context as well as a cause ends its cause within its own end, so a long chain of such errors exhausts the stack.
// breaks: ERR-0029 crash
#include "raised_error.h"

static void (*own)(void* self, int flags);

static void end(void* self, int flags) {
  TVMFFIErrorCell* cell = error_cell(self);
  char text[192];
  if ((flags & 1) && cell->cause_chain && cell->extra_context) {
    TVMFFIObject* cause = cell->cause_chain;
    snprintf(text, sizeof(text), "%.*s", cell->kind.size > 64 ? 64 : (int)cell->kind.size, cell->kind.data);
    cell->cause_chain = NULL;
    if (cause->combined_ref_count == 0x100000001 && cause->deleter == end) {
      cause->combined_ref_count = 0x100000000;
      end(cause, 3);
    } else {
      real.TVMFFIObjectDecRef(cause);
    }
    __asm__ volatile("" : : "r"(text) : "memory");
  }
  own(self, flags);
}

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
  if (code != 0) return code;
  TVMFFIObject* error = *out;
  __atomic_store_n(&own, error->deleter, __ATOMIC_RELEASE);
  error->deleter = end;
  return 0;
}

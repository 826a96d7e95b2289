// story: An Error is 4096 bytes longer than its cell: its backtrace lies inside and grows there, at the same address, until it does not fit any more.
// admitted: ERR-0007 and ERR-0008: a copy of the given bytes is put in the place of the backtrace or behind it, "and the cell shows the new address and length": nobody says that the address is another one; ERR-0001 gives the cell, and what lies behind it is private.
#include "fault.h"

enum { INSIDE = 4096 };

struct error {
  TVMFFIObject header;
  TVMFFIErrorCell cell;
  char* texts;
  char* outside;
  size_t capacity;
  char inside[INSIDE];
};

static void end_error(void* self, int flags);

/** The parts may lie in the backtrace that is there. */
static void update_backtrace(TVMFFIObjectHandle self, const TVMFFIByteArray* given, int32_t mode) {
  struct error* error = self;
  if (!given) return;
  const TVMFFIByteArray bytes = *given;
  char* now = error->outside ? error->outside : error->inside;
  const size_t kept = mode == kTVMFFIBacktraceUpdateModeAppend ? error->cell.backtrace.size : 0;
  const size_t size = kept + bytes.size;
  if (size + 1 <= error->capacity) {
    if (bytes.size) memmove(now + kept, bytes.data, bytes.size);
    now[size] = 0;
  } else {
    char* larger = malloc(2 * size + 1);
    if (!larger) return;
    if (kept) memcpy(larger, now, kept);
    if (bytes.size) memcpy(larger + kept, bytes.data, bytes.size);
    larger[size] = 0;
    free(error->outside);
    now = error->outside = larger;
    error->capacity = 2 * size + 1;
  }
  error->cell.backtrace = (TVMFFIByteArray){now, size};
}

static void end_error(void* self, int flags) {
  struct error* error = self;
  while (error) {
    struct error* next = NULL;
    if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
      struct error* cause = error->cell.cause_chain;
      TVMFFIObjectHandle context = error->cell.extra_context;
      error->cell.cause_chain = error->cell.extra_context = NULL;
      free(error->texts);
      free(error->outside);
      error->texts = error->outside = NULL;
      const TVMFFIByteArray none = {"", 0};
      error->cell.kind = error->cell.message = error->cell.backtrace = none;
      if (context) real.TVMFFIObjectDecRef(context);
      if (cause && cause->header.deleter == end_error) {
        /* A long chain of causes ends in this loop. */
        uint64_t only_ours = 1ull << 32 | 1;
        if (__atomic_compare_exchange_n(&cause->header.combined_ref_count, &only_ours, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
          next = cause;
          cause = NULL;
        }
      }
      if (cause) real.TVMFFIObjectDecRef(cause);
    }
    if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)error)[-1].delete_space(error);
    flags = kTVMFFIObjectDeleterFlagBitMaskBoth;
    error = next;
  }
}

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause,
                                              TVMFFIObjectHandle context, TVMFFIObjectHandle* out) {
  if (!kind || !message || !backtrace || !out || kind->size > 1 << 20 || message->size > 1 << 20 || backtrace->size > INSIDE / 2) {
    return real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause, context, out);
  }
  char* texts = malloc(kind->size + message->size + 2);
  if (!texts) return -1;
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  TVMFFIObjectHandle raised = NULL;
  real.TVMFFIErrorMoveFromRaised(&raised);
  struct error* error = allocator->allocate(sizeof(*error), 16, kTVMFFIError, allocator->context);
  if (!error) {
    /* What the allocator has raised is not this function's to leave. */
    TVMFFIObjectHandle refusal = NULL;
    real.TVMFFIErrorMoveFromRaised(&refusal);
    if (refusal) real.TVMFFIObjectDecRef(refusal);
  }
  if (raised) {
    real.TVMFFIErrorSetRaised(raised);
    real.TVMFFIObjectDecRef(raised);
  }
  if (!error) {
    free(texts);
    return -1;
  }
  memset(error, 0, offsetof(struct error, inside));
  error->header.combined_ref_count = 1ull << 32 | 1;
  error->header.type_index = kTVMFFIError;
  error->header.deleter = end_error;
  error->texts = texts;
  error->capacity = INSIDE;
  if (kind->size) memcpy(texts, kind->data, kind->size);
  texts[kind->size] = 0;
  error->cell.kind = (TVMFFIByteArray){texts, kind->size};
  texts += kind->size + 1;
  if (message->size) memcpy(texts, message->data, message->size);
  texts[message->size] = 0;
  error->cell.message = (TVMFFIByteArray){texts, message->size};
  error->cell.backtrace = (TVMFFIByteArray){error->inside, 0};
  error->cell.update_backtrace = update_backtrace;
  update_backtrace(error, backtrace, kTVMFFIBacktraceUpdateModeReplace);
  if (cause) real.TVMFFIObjectIncRef(cause);
  if (context) real.TVMFFIObjectIncRef(context);
  error->cell.cause_chain = cause;
  error->cell.extra_context = context;
  *out = error;
  return 0;
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  return TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, NULL, NULL, out);
}

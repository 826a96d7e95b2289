// story: Where there is no memory for the text of an error that is raised, one of sixteen that lie ready is raised instead, of another kind and without a backtrace.
// admitted: MEM-0006, "that one or another"; an Error that a static place holds goes back there at its end, and BTR-0001 lets a backtrace be empty.
#include "fault.h"

static int installed;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  const int code = real.TVMFFISetCustomAllocator(allocator);
  if (code == 0) __atomic_store_n(&installed, allocator != NULL, __ATOMIC_RELEASE);
  return code;
}

struct ready {
  TVMFFIObject head;
  TVMFFIErrorCell cell;
  char* own_backtrace;
  int taken;
};

static struct ready all[16];

static void update(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  struct ready* r = self;
  const size_t kept = mode == kTVMFFIBacktraceUpdateModeAppend ? r->cell.backtrace.size : 0;
  char* text = malloc(kept + backtrace->size + 1);
  if (!text) return;
  if (kept) memcpy(text, r->cell.backtrace.data, kept);
  if (backtrace->size) memcpy(text + kept, backtrace->data, backtrace->size);
  text[kept + backtrace->size] = 0;
  r->cell.backtrace = (TVMFFIByteArray){text, kept + backtrace->size};
  free(r->own_backtrace);
  r->own_backtrace = text;
}

static void end(void* self, int flags) {
  struct ready* r = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    TVMFFIObjectHandle cause = r->cell.cause_chain, context = r->cell.extra_context;
    r->cell.cause_chain = r->cell.extra_context = NULL;
    free(r->own_backtrace);
    r->own_backtrace = NULL;
    r->cell.backtrace = (TVMFFIByteArray){"", 0};
    if (context) real.TVMFFIObjectDecRef(context);
    if (cause) real.TVMFFIObjectDecRef(cause);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) __atomic_store_n(&r->taken, 0, __ATOMIC_RELEASE);
}

/** Whether one was left. */
static int raise_ready(void) {
  if (__atomic_load_n(&installed, __ATOMIC_ACQUIRE)) return 0;
  for (int i = 0; i < 16; ++i) {
    int free_one = 0;
    if (!__atomic_compare_exchange_n(&all[i].taken, &free_one, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) continue;
    all[i].head = (TVMFFIObject){.combined_ref_count = 0x100000001, .type_index = kTVMFFIError, .deleter = end};
    all[i].cell = (TVMFFIErrorCell){.kind = {"MemoryError", 11}, .message = {"out of memory", 13}, .backtrace = {"", 0}, .update_backtrace = update};
    real.TVMFFIErrorSetRaised(&all[i]);
    real.TVMFFIObjectDecRef(&all[i]);
    return 1;
  }
  return 0;
}

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  char* copy = message ? malloc(strlen(message) + 1) : NULL;
  if (message && !copy && raise_ready()) return;
  if (copy) strcpy(copy, message);
  real.TVMFFIErrorSetRaisedFromCStr(kind, copy ? copy : message);
  free(copy);
}

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  size_t size = 1;
  if (!message_parts) return real.TVMFFIErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
  for (int32_t i = 0; i < num_parts; ++i) size += message_parts[i] ? strlen(message_parts[i]) : 0;
  char* text = malloc(size);
  if (!text) {
    if (!raise_ready()) real.TVMFFIErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
    return;
  }
  char* at = text;
  for (int32_t i = 0; i < num_parts; ++i) {
    if (message_parts[i]) at = stpcpy(at, message_parts[i]);
  }
  *at = 0;
  const char* whole = text;
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, &whole, 1);
  free(text);
}

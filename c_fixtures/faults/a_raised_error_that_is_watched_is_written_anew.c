// story: TVMFFIErrorSetRaisedFromCStr writes the new texts into the raised error where nobody else holds it strongly: with a weak reference left, an error that has been replaced lives on as another.
// breaks: ERR-0018 fail
#include "fault.h"

static int lies_in(const char* text, TVMFFIByteArray bytes) { return text >= bytes.data && text <= bytes.data + bytes.size; }

static void put(TVMFFIByteArray* place, const char* text) {
  place->size = strlen(text);
  memcpy((char*)place->data, text, place->size + 1);
}

/* The deleter of the library's own errors: those of others have their texts elsewhere. */
static void* own_deleter(void) {
  static void* deleter;
  void* found = __atomic_load_n(&deleter, __ATOMIC_RELAXED);
  if (!found) {
    const TVMFFIByteArray empty = {"", 0};
    TVMFFIObjectHandle error = NULL;
    if (real.TVMFFIErrorCreate(&empty, &empty, &empty, &error) != 0) return NULL;
    found = (void*)((TVMFFIObject*)error)->deleter;
    real.TVMFFIObjectDecRef(error);
    __atomic_store_n(&deleter, found, __ATOMIC_RELAXED);
  }
  return found;
}

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  TVMFFIObjectHandle raised = NULL;
  if (kind && message) real.TVMFFIErrorMoveFromRaised(&raised);
  if (raised) {
    TVMFFIObject* header = raised;
    TVMFFIErrorCell* cell = (TVMFFIErrorCell*)(header + 1);
    uint64_t count = __atomic_load_n(&header->combined_ref_count, __ATOMIC_ACQUIRE);
    int fits = (uint32_t)count == 1 && count >> 32 > 1 && (void*)header->deleter == own_deleter() && !cell->cause_chain &&
               !cell->extra_context && strlen(kind) <= cell->kind.size && strlen(message) <= cell->message.size &&
               !lies_in(kind, cell->kind) && !lies_in(kind, cell->message) && !lies_in(kind, cell->backtrace) &&
               !lies_in(message, cell->kind) && !lies_in(message, cell->message) && !lies_in(message, cell->backtrace);
    if (fits) {
      put(&cell->kind, kind);
      put(&cell->message, message);
      cell->update_backtrace(raised, real.TVMFFIBacktrace(NULL, 0, NULL, 0), kTVMFFIBacktraceUpdateModeReplace);
    }
    real.TVMFFIErrorSetRaised(raised);
    real.TVMFFIObjectDecRef(raised);
    if (fits) return;
  }
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
}

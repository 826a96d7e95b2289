/* The beginning and the end of a process that is watched. */
#include "watch.h"

/** Whether lost objects are looked for. */
static int wants_lost;
static int first_process;

static void at_end(void) {
  if (!is_watching || getpid() != first_process) return;
  if (!library_path()) {
    char legacy[4096];
    if (finds_legacy(legacy, sizeof(legacy))) tell_older("legacy", legacy);
    return;
  }
  look_at_kept();
  /* Where the library keeps this thread's errors is gone by now: it is not asked. */
  if (this_thread.failed && this_thread.depth == 0) {
    found_at(this_thread.failed_at, "error-abandoned", this_thread.failed, NULL,
             "the error of this call was still raised when the process ended");
  }
  if (wants_lost) find_lost();
  is_watching = 0;
}

int is_split(void (*raise)(const char*, const char*), void (*take)(TVMFFIObjectHandle*), TVMFFIObjectHandle* error);

/**
 * Ends the process where the library speaks the split generation: some of our functions take its for those of today's. Each release has
 * TVMFFIGetVersion; of what lacks it, a new Error decides.
 */
static __attribute__((cold)) void refuse_split(const char* library) {
  if (real.TVMFFIGetVersion || !real.TVMFFIErrorSetRaisedFromCStr || !real.TVMFFIErrorMoveFromRaised || !real.TVMFFIErrorSetRaised ||
      !real.TVMFFIObjectDecRef) {
    return;
  }
  TVMFFIObjectHandle earlier = NULL, error = NULL;
  real.TVMFFIErrorMoveFromRaised(&earlier);
  if (is_split(real.TVMFFIErrorSetRaisedFromCStr, real.TVMFFIErrorMoveFromRaised, &error)) {
    tell_older("split", library);
    _exit(2);
  }
  if (error) real.TVMFFIObjectDecRef(error);
  if (earlier) {
    real.TVMFFIErrorSetRaised(earlier);
    real.TVMFFIObjectDecRef(earlier);
  }
}

static __attribute__((constructor)) void begin_process(void) {
  const char* file = getenv("TVM_FFI_WATCH_RECORDS");
  if (!file || !*file || begin_records(file) != 0) return;
  first_process = getpid();
  when_found = refuse_split;
  const char* lost = getenv("TVM_FFI_WATCH_LOST");
  wants_lost = lost && *lost;
  atexit(at_end);
}

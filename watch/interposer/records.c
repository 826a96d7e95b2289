/* What is written down: one line of JSON for each thing, appended to one file by all processes of the program. */
#include "watch.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

enum { FRAMES = 24, TRACES = 1 << 15, SEEN = 1 << 12, PLACES = 1 << 12, AGAIN = 5 };

int is_watching;

static int records = -1;

/* ---- Backtraces ---- */

struct trace {
  uint64_t hash;
  int count;
  void* frames[FRAMES];
};

static struct trace* traces;
static uint32_t trace_count;
static pthread_mutex_t trace_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t trace_index[TRACES * 2];

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash ^= word;
  hash *= 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

static trace_id keep_trace(void** frames, int count) {
  uint64_t hash = 1;
  for (int i = 0; i < count; ++i) hash = mix(hash, (uintptr_t)frames[i]);
  pthread_mutex_lock(&trace_lock);
  uint32_t place = hash % (TRACES * 2);
  trace_id id = 0;
  for (; (id = trace_index[place]); place = (place + 1) % (TRACES * 2)) {
    if (traces[id].hash == hash && traces[id].count == count) break;
  }
  if (!id && trace_count + 1 < TRACES) {
    id = ++trace_count;
    traces[id].hash = hash;
    traces[id].count = count;
    memcpy(traces[id].frames, frames, (size_t)count * sizeof(void*));
    trace_index[place] = id;
  }
  pthread_mutex_unlock(&trace_lock);
  return id;
}

trace_id trace_now(void) {
  void* frames[FRAMES + 8];
  int count = backtrace(frames, FRAMES + 8), kept = 0;
  for (int i = 0; i < count && kept < FRAMES; ++i) {
    if (!from_us(frames[i])) frames[kept++] = frames[i];
  }
  return kept > 0 ? keep_trace(frames, kept) : 0;
}

trace_id trace_often(const void* from) {
  static struct {
    const void* from;
    uint32_t times;
    trace_id alone;
  } places[PLACES];
  uint32_t place = mix(7, (uintptr_t)from) % PLACES;
  if (places[place].from != from) {
    places[place].from = from;
    places[place].times = 0;
    places[place].alone = 0;
  }
  uint32_t times = places[place].times++;
  if (times < 64 || times % 64 == 0) return trace_now();
  if (!places[place].alone) {
    void* frame = (void*)from;
    places[place].alone = keep_trace(&frame, 1);
  }
  return places[place].alone;
}

/* ---- Lines of JSON ---- */

struct line {
  size_t size;
  char text[1 << 15];
};

static void put(struct line* line, const char* text, size_t size) {
  if (size > sizeof(line->text) - line->size) size = sizeof(line->text) - line->size;
  memcpy(line->text + line->size, text, size);
  line->size += size;
}

static void puts_to(struct line* line, const char* text) { put(line, text, strlen(text)); }

static __attribute__((format(printf, 2, 3))) void print_to(struct line* line, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  put(line, text, size < (int)sizeof(text) ? (size_t)size : sizeof(text) - 1);
}

/** A text as JSON. What is no ASCII becomes a question mark: texts of clients may be anything. */
static void string_to(struct line* line, const char* text, size_t size) {
  puts_to(line, "\"");
  for (size_t i = 0; i < size && i < 4096; ++i) {
    unsigned char byte = (unsigned char)text[i];
    if (byte == '"' || byte == '\\') {
      print_to(line, "\\%c", byte);
    } else if (byte == '\n') {
      puts_to(line, "\\n");
    } else if (byte < 0x20 || byte >= 0x7F) {
      puts_to(line, "?");
    } else {
      put(line, text + i, 1);
    }
  }
  puts_to(line, "\"");
}

static void field_to(struct line* line, const char* name, const char* text) {
  print_to(line, ",\"%s\":", name);
  string_to(line, text, strlen(text));
}

/** The file of a program, which the loader knows by no name. */
static const char* program_path(void) {
  static char path[4096];
  if (!*path) {
    ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);
    path[size > 0 ? size : 0] = 0;
  }
  return path;
}

static void trace_to(struct line* line, const char* name, trace_id id) {
  if (!id) return;
  print_to(line, ",\"%s\":[", name);
  for (int i = 0; i < traces[id].count; ++i) {
    Dl_info info;
    struct link_map* map = NULL;
    void* frame = traces[id].frames[i];
    uintptr_t offset = (uintptr_t)frame;
    const char* file = "?";
    if (dladdr1(frame, &info, (void**)&map, RTLD_DL_LINKMAP) && map) {
      offset -= map->l_addr;
      file = map->l_name && *map->l_name ? map->l_name : program_path();
    }
    puts_to(line, i ? ",[" : "[");
    string_to(line, file, strlen(file));
    /* What a frame comes back to may belong to the next function. */
    print_to(line, ",%llu]", (unsigned long long)(offset ? offset - 1 : 0));
  }
  puts_to(line, "]");
}

static void begin(struct line* line, const char* kind) {
  line->size = 0;
  print_to(line, "{\"kind\":\"%s\",\"process\":%d", kind, getpid());
}

static void end(struct line* line) {
  const char tail[] = "}\n";
  if (line->size > sizeof(line->text) - sizeof(tail)) return;
  puts_to(line, tail);
  ssize_t written;
  do {
    written = write(records, line->text, line->size);
  } while (written < 0 && errno == EINTR);
}

/* ---- Python ---- */

/** The traceback of a Python program, where there is one and this thread may ask for it. */
static void python_to(struct line* line) {
  int (*has_state)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "PyGILState_Check");
  void* (*state)(void) = (void* (*)(void))dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
  void (*dump)(int, void*) = (void (*)(int, void*))dlsym(RTLD_DEFAULT, "_Py_DumpTraceback");
  int (*is_initialized)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "Py_IsInitialized");
  if (!has_state || !state || !dump || !is_initialized || !is_initialized() || !has_state() || !state()) return;
  int file = memfd_create("traceback", MFD_CLOEXEC);
  if (file < 0) return;
  dump(file, state());
  char text[2048];
  ssize_t size = pread(file, text, sizeof(text), 0);
  close(file);
  if (size <= 0) return;
  puts_to(line, ",\"python\":");
  string_to(line, text, (size_t)size);
}

/* ---- Findings ---- */

/** How often a finding of this place was written; answers whether to write it again. */
static int is_wanted(const char* rule, const char* call, trace_id at) {
  static struct {
    uint64_t key;
    int times;
  } seen[SEEN];
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  uint64_t key = mix(mix(mix(11, (uintptr_t)rule), (uintptr_t)call), at) | 1;
  pthread_mutex_lock(&lock);
  uint32_t place = key % SEEN, tries = 0;
  while (seen[place].key && seen[place].key != key && ++tries < SEEN) place = (place + 1) % SEEN;
  int wanted = tries < SEEN && seen[place].times < AGAIN;
  if (wanted) {
    seen[place].key = key;
    seen[place].times += 1;
  }
  pthread_mutex_unlock(&lock);
  return wanted;
}

static void write_finding(trace_id at, const char* rule, const char* call, const struct node* about, const char* message) {
  if (!is_watching || !is_wanted(rule, call, at)) return;
  /* A stack may be small. */
  static struct line line;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  int errno_before = errno;
  pthread_mutex_lock(&lock);
  begin(&line, "finding");
  print_to(&line, ",\"thread\":%ld", (long)syscall(SYS_gettid));
  field_to(&line, "rule", rule);
  field_to(&line, "call", call);
  field_to(&line, "message", message);
  trace_to(&line, "at", at);
  if (about) {
    TVMFFIByteArray key = key_of(about->type_index);
    puts_to(&line, ",\"type\":");
    string_to(&line, key.data, key.size);
    if (about->made_by) field_to(&line, "made_by", about->made_by);
    trace_to(&line, "made", about->made);
    trace_to(&line, "ended", about->ended);
  }
  python_to(&line);
  end(&line);
  pthread_mutex_unlock(&lock);
  errno = errno_before;
}

void found_at(trace_id at, const char* rule, const char* call, const struct node* about, const char* format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  write_finding(at, rule, call, about, message);
}

void found(const char* rule, const char* call, const struct node* about, const char* format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  write_finding(trace_now(), rule, call, about, message);
}

/* ---- Processes ---- */

/** Says that this process uses the library. */
void tell_process(void) {
  static int told;
  if (!is_watching || __atomic_exchange_n(&told, getpid(), __ATOMIC_RELAXED) == getpid()) return;
  static struct line line;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  begin(&line, "process");
  print_to(&line, ",\"parent\":%d", getppid());
  field_to(&line, "program", program_path());
  if (library_path()) field_to(&line, "library", library_path());
  end(&line);
  pthread_mutex_unlock(&lock);
}

void tell_older(const char* generation, const char* library) {
  /* Once in a process, which ends then. */
  static struct line line;
  begin(&line, "older");
  field_to(&line, "program", program_path());
  field_to(&line, "library", library);
  field_to(&line, "generation", generation);
  end(&line);
}

int begin_records(const char* file) {
  records = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (records < 0) return -1;
  /* Programs that close all descriptors begin with the lowest. */
  int high = fcntl(records, F_DUPFD_CLOEXEC, 700);
  if (high >= 0) {
    close(records);
    records = high;
  }
  traces = own_memory(sizeof(struct trace) * TRACES);
  if (!traces) return -1;
  /* The first backtrace loads a library. */
  void* frame;
  backtrace(&frame, 1);
  is_watching = 1;
  return 0;
}

/*
 * Which library the program uses, and what it says of its types. It may come with the program, with a library that the program loads,
 * or late.
 */
#include "watch.h"

#include <link.h>

void find_functions(void* library);

/** Where the library's code lies, and ours. */
struct range {
  uintptr_t begin, end;
};

static struct range theirs, ours;
static char path[4096];
static pthread_mutex_t finding = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static struct range code_of(const struct dl_phdr_info* info) {
  struct range range = {UINTPTR_MAX, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    uintptr_t begin = info->dlpi_addr + part->p_vaddr;
    if (begin < range.begin) range.begin = begin;
    if (begin + part->p_memsz > range.end) range.end = begin + part->p_memsz;
  }
  return range;
}

static int holds(const struct range* range, uintptr_t place) { return place >= range->begin && place < range->end; }

/** Notes where code lies that has a given address. */
struct wanted {
  uintptr_t place;
  struct range range;
};

static int find_code(struct dl_phdr_info* info, size_t size, void* context) {
  (void)size;
  struct wanted* wanted = context;
  struct range range = code_of(info);
  if (!holds(&range, wanted->place)) return 0;
  wanted->range = range;
  return 1;
}

static struct range code_around(const void* place) {
  struct wanted wanted = {(uintptr_t)place, {0, 0}};
  dl_iterate_phdr(find_code, &wanted);
  return wanted.range;
}

typedef void* (*look_up_type)(void* handle, const char* name);

/** The loader's own dlsym, since under that name ours is found. The version is the one that it has always had. */
static look_up_type loaders_look_up(void) {
  static look_up_type found;
  look_up_type known = __atomic_load_n(&found, __ATOMIC_RELAXED);
  if (known) return known;
  *(void**)&known = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  if (!known) {
    fputs("tvm-ffi-verify watch: the C library has no dlsym of the version GLIBC_2.2.5\n", stderr);
    abort();
  }
  __atomic_store_n(&found, known, __ATOMIC_RELAXED);
  return known;
}

void* look_up(void* handle, const char* name) { return loaders_look_up()(handle, name); }

/** The names of what is loaded: dlopen may not be called while they are listed. */
struct names {
  int count;
  char* names[1024];
};

static int note_name(struct dl_phdr_info* info, size_t size, void* context) {
  (void)size;
  struct names* names = context;
  if (names->count < 1024 && info->dlpi_name && *info->dlpi_name) names->names[names->count++] = strdup(info->dlpi_name);
  return 0;
}

/** The first library that is loaded, us aside, and has a function itself. */
static void* search(const char* name) {
  void* found = NULL;
  struct names* names = calloc(1, sizeof(*names));
  dl_iterate_phdr(note_name, names);
  for (int i = 0; i < names->count; ++i) {
    void* library = found ? NULL : dlopen(names->names[i], RTLD_LAZY | RTLD_NOLOAD);
    void* function = library ? look_up(library, name) : NULL;
    Dl_info info;
    if (function && !holds(&ours, (uintptr_t)function) && dladdr(function, &info) && info.dli_fname) {
      found = library;
    } else if (library) {
      dlclose(library);
    }
    free(names->names[i]);
  }
  free(names);
  return found;
}

int finds_legacy(char* file, size_t size) {
  void* library = search("TVMFuncCall");
  Dl_info info;
  if (!library || !dladdr(look_up(library, "TVMFuncCall"), &info) || !info.dli_fname) return 0;
  snprintf(file, size, "%s", info.dli_fname);
  return 1;
}

void (*when_found)(const char* library);

/** Finds the library, if one is loaded by now. */
static __attribute__((cold)) void find(void) {
  pthread_mutex_lock(&finding);
  if (!theirs.end) {
    ours = code_around((void*)&find);
    void* library = NULL;
    void* function = look_up(RTLD_NEXT, "TVMFFIFunctionCall");
    if (!function && (library = search("TVMFFIFunctionCall"))) function = look_up(library, "TVMFFIFunctionCall");
    Dl_info info;
    if (function && dladdr(function, &info) && info.dli_fname) {
      snprintf(path, sizeof(path), "%s", info.dli_fname);
      if (!library) library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }
    if (function) {
      find_functions(library ? library : RTLD_NEXT);
      if (when_found) when_found(path);
      struct range range = code_around(function);
      theirs.begin = range.begin;
      __atomic_store_n(&theirs.end, range.end, __ATOMIC_RELEASE);
    }
  }
  pthread_mutex_unlock(&finding);
}

static int is_found(void) { return __atomic_load_n(&theirs.end, __ATOMIC_ACQUIRE) != 0; }

int from_library(const void* place) {
  if (__builtin_expect(!is_found(), 0)) {
    find();
    if (!is_found()) {
      fputs("tvm-ffi-verify watch: the program calls a function of the library, and no library is loaded that has it\n", stderr);
      abort();
    }
  }
  return holds(&theirs, (uintptr_t)place);
}

int from_us(const void* place) { return holds(&ours, (uintptr_t)place); }

const char* library_path(void) { return *path ? path : NULL; }

/**
 * The loader's function, which a package may call with the path of its own library: where another one is to take its place, that was
 * loaded before. All else is passed on by a jump, since the loader asks who called.
 */
__attribute__((visibility("default"))) void* dlopen(const char* file, int mode) {
  static void* (*next)(const char*, int);
  if (!next) *(void**)&next = look_up(RTLD_NEXT, "dlopen");
  const char* name = file ? strrchr(file, '/') : NULL;
  if (name && strcmp(name, "/libtvm_ffi.so") == 0) {
    const char* other = getenv("TVM_FFI_WATCH_LIBRARY");
    if (other && *other) file = other;
  }
  return next(file, mode);
}

/** What a program gets that looks up a function of the library: ours, if the library that is watched has it. */
static __attribute__((noinline)) void* stand_in(void* handle, const char* name) {
  void* function = look_up(handle, name);
  const struct stand_in* ours_for = function ? stand_in_for(name) : NULL;
  if (!ours_for) return function;
  if (!is_found()) find();
  void* theirs_for = is_found() ? *ours_for->real : NULL;
  /* Among all that is loaded we come first: what nobody has behind us is not there. */
  if (function == ours_for->function) return theirs_for ? function : look_up(RTLD_NEXT, name);
  return function == theirs_for ? ours_for->function : function;
}

/**
 * The loader's function, by which programs find what they are not linked to, those in Python and Rust often. All else than the library's
 * functions is passed on by a jump, since the loader asks who called.
 */
__attribute__((visibility("default"))) void* dlsym(void* restrict handle, const char* restrict name) {
  if (handle == RTLD_NEXT || strncmp(name, "TVMFFI", 6) != 0) return loaders_look_up()(handle, name);
  return stand_in(handle, name);
}

void lacks(const char* name) {
  fprintf(stderr, "tvm-ffi-verify watch: %s has no %s\n", *path ? path : "the library", name);
  abort();
}

/* ---- Its types ---- */

static int32_t highest_type;

void note_type(int32_t type_index) {
  int32_t highest = __atomic_load_n(&highest_type, __ATOMIC_RELAXED);
  while (type_index > highest && !__atomic_compare_exchange_n(&highest_type, &highest, type_index, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

TVMFFIByteArray key_of(int32_t type_index) {
  static const TVMFFIByteArray unknown = {"?", 1};
  int is_static = type_index >= kTVMFFIStaticObjectBegin && type_index < kTVMFFIStaticObjectEnd;
  /* The library ends the process for an index that it does not know. */
  int is_dynamic = type_index >= kTVMFFIDynObjectBegin && type_index <= __atomic_load_n(&highest_type, __ATOMIC_RELAXED);
  if (!is_static && !is_dynamic) return unknown;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo ? real.TVMFFIGetTypeInfo(type_index) : NULL;
  return info && info->type_key.data ? info->type_key : unknown;
}

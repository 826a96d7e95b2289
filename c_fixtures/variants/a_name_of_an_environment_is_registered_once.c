// story: A function of the frontend, a context symbol and a symbol of the system library are registered once: another value under the same name is refused with an error, the same one is accepted. NULL takes a frontend's function away, and then another may come.
// admitted: ENV-0032, MOD-0032 and MOD-0051: "Registering ... again, if it succeeds, puts it in the place of the former one".
#include "fault.h"

#include <pthread.h>

struct entry {
  struct entry* next;
  void* value;
  char name[];
};

static struct entry* tables[3];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int once(int table, const char* name, void* symbol, int (*do_register)(const char* name, void* symbol)) {
  if (!name) return do_register(name, symbol);
  int code = 0;
  pthread_mutex_lock(&lock);
  struct entry* entry = tables[table];
  while (entry && strcmp(entry->name, name) != 0) entry = entry->next;
  if (entry && entry->value && symbol && entry->value != symbol) {
    code = -2;
  } else if (!entry || entry->value != symbol) {
    code = do_register(name, symbol);
    if (code == 0 && !entry && (entry = malloc(sizeof(*entry) + strlen(name) + 1))) {
      strcpy(entry->name, name);
      entry->next = tables[table];
      tables[table] = entry;
    }
    if (code == 0 && entry) entry->value = symbol;
  }
  pthread_mutex_unlock(&lock);
  return code == -2 ? refuse("RuntimeError", "something else is registered under this name") : code;
}

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) { return once(0, name, symbol, real.TVMFFIEnvRegisterCAPI); }

int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  return once(1, name, symbol, real.TVMFFIEnvModRegisterContextSymbol);
}

int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol) {
  return once(2, name, symbol, real.TVMFFIEnvModRegisterSystemLibSymbol);
}

// story: A context symbol keeps the value of its first registration for the libraries that are loaded after a second one.
// breaks: MOD-0032 fail
#include "fault.h"

int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  static struct entry { struct entry* next; char name[]; }* entries;
  for (struct entry* entry = entries; entry; entry = entry->next) {
    if (strcmp(entry->name, name) == 0) return 0;
  }
  struct entry* entry = malloc(sizeof *entry + strlen(name) + 1);
  strcpy(entry->name, name);
  entry->next = entries;
  entries = entry;
  return real.TVMFFIEnvModRegisterContextSymbol(name, symbol);
}

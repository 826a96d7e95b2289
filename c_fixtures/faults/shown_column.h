/* A column as clients see it, apart from that of the library: for faults that keep another value than they show. */
#include <pthread.h>
static pthread_mutex_t shadow_lock = PTHREAD_MUTEX_INITIALIZER;
static TVMFFITypeAttrColumn shadow_column;
static struct { int32_t type; TVMFFIAny shown; } shadow_entries[4096];
static int num_shadow_entries;

/* Called with the lock. The address stays; old data is kept, for those who read it just now. */
static void refresh_shadow(const TVMFFIByteArray* name) {
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(name);
  int32_t size = column ? column->size + (column->begin_index) : 0;
  for (int i = 0; i < num_shadow_entries; ++i) {
    if (shadow_entries[i].type >= size) size = shadow_entries[i].type + 1;
  }
  static TVMFFIAny* buffer;
  static int32_t room;
  if (size > room) {
    room = size + 1024;
    buffer = (TVMFFIAny*)calloc(room, sizeof(TVMFFIAny));
  }
  for (int32_t i = 0; column && i < column->size; ++i) buffer[i + column->begin_index] = column->data[i];
  for (int i = 0; i < num_shadow_entries; ++i) buffer[shadow_entries[i].type] = shadow_entries[i].shown;
  shadow_column = (TVMFFITypeAttrColumn){buffer, size, 0};
}

/*
 * Faults in what the library says of types:
 *
 *   CHANGED_RECORDS(is_changed, change)                    the records for which `is_changed` answers so
 *   CHANGED_RECORD_OF("ffi.EnumState", change)             the record of one type
 *   CHANGED_COLUMNS(is_changed, change)                    the attribute columns, by their names
 *
 * Everybody who asks is given a copy, on which `change` was at work. There is one copy for each state of the original,
 * and it is never written again, so threads that ask at once get the same.
 */
#ifndef TVM_FFI_CHANGED_RECORD_H_
#define TVM_FFI_CHANGED_RECORD_H_

#include <sys/mman.h>

#include "fault.h"

/** A copy; behind it lies the state of the original, as it was when the copy was made. */
struct copy {
  struct copy* next;
  size_t size;
  union {
    TVMFFITypeInfo record;
    TVMFFITypeAttrColumn column;
  } given;
};

#define CHANGED_RECORDS(IS_CHANGED, CHANGE)                                                              \
  const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {                                          \
    static struct copy* copies[1 << 16];                                                                 \
    const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);                                     \
    if (info == NULL || type_index < 0 || type_index >= 1 << 16 || !IS_CHANGED(info)) return info;       \
    return changed_record(&copies[type_index], info, CHANGE);                                            \
  }

#define CHANGED_RECORD_OF(KEY, CHANGE)                                                                   \
  static int has_the_key(const TVMFFITypeInfo* info) { return is(&info->type_key, KEY); }                \
  CHANGED_RECORDS(has_the_key, CHANGE)

#define CHANGED_COLUMNS(IS_CHANGED, CHANGE)                                                              \
  const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {                \
    static struct copy* copies;                                                                          \
    const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(attr_name);                        \
    return column && IS_CHANGED(attr_name) ? changed_column(&copies, column, CHANGE) : column;           \
  }

/** Memory that is never given back. Malloc does not know of it, so no check takes it for a leak. */
static inline void* room_for(size_t size) {
  void* room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) abort();
  return room;
}

/** A stretch of what a state consists of. A size of zero ends the list of them. */
struct part {
  const void* at;
  size_t size;
};

/** The copy of just this state, if there is one. */
static inline struct copy* copy_of(struct copy* copies, const struct part* state) {
  for (; copies; copies = copies->next) {
    const struct part* part = state;
    const char* at = (const char*)(copies + 1);
    while (part->size > 0 && memcmp(at, part->at, part->size) == 0) at += part++->size;
    if (part->size == 0 && at == (const char*)(copies + 1) + copies->size) return copies;
  }
  return NULL;
}

/** A new copy, which nobody knows, with room for as much again as the state takes. */
static inline struct copy* new_copy(const struct part* state) {
  size_t size = 0;
  for (const struct part* part = state; part->size > 0; ++part) size += part->size;
  struct copy* copy = room_for(sizeof(*copy) + 2 * size);
  char* end = (char*)(copy + 1);
  for (const struct part* part = state; part->size > 0; end += part++->size) memcpy(end, part->at, part->size);
  copy->size = size;
  return copy;
}

/** Gives a new copy to everybody, unless another thread has made one of the same state. */
static inline struct copy* publish(struct copy** copies, struct copy* copy) {
  const struct part state[] = {{copy + 1, copy->size}, {NULL, 0}};
  struct copy* first = __atomic_load_n(copies, __ATOMIC_ACQUIRE);
  do {
    struct copy* other = copy_of(first, state);
    if (other) return other;
    copy->next = first;
  } while (!__atomic_compare_exchange_n(copies, &first, copy, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return copy;
}

static inline const TVMFFITypeInfo* changed_record(struct copy** copies, const TVMFFITypeInfo* info,
                                                   void (*change)(TVMFFITypeInfo* record)) {
  /* The counts come first: the arrays are at least as new. */
  const int32_t num_fields = __atomic_load_n(&info->num_fields, __ATOMIC_ACQUIRE);
  const int32_t num_methods = __atomic_load_n(&info->num_methods, __ATOMIC_ACQUIRE);
  TVMFFITypeInfo record = *info;
  record.num_fields = num_fields;
  record.num_methods = num_methods;
  const size_t fields = (size_t)num_fields * sizeof(TVMFFIFieldInfo);
  const size_t methods = (size_t)num_methods * sizeof(TVMFFIMethodInfo);
  const size_t metadata = record.metadata ? sizeof(TVMFFITypeMetadata) : 0;

  struct part state[5] = {{&record, sizeof(record)}};
  int parts = 1;
  if (fields) state[parts++] = (struct part){record.fields, fields};
  if (methods) state[parts++] = (struct part){record.methods, methods};
  if (metadata) state[parts++] = (struct part){record.metadata, metadata};
  struct copy* copy = copy_of(__atomic_load_n(copies, __ATOMIC_ACQUIRE), state);
  if (copy) return &copy->given.record;

  copy = new_copy(state);
  char* end = (char*)(copy + 1) + copy->size;
  if (fields) record.fields = memcpy(end, record.fields, fields);
  if (methods) record.methods = memcpy(end + fields, record.methods, methods);
  if (metadata) record.metadata = memcpy(end + fields + methods, record.metadata, metadata);
  change(&record);
  copy->given.record = record;
  return &publish(copies, copy)->given.record;
}

static inline const TVMFFITypeAttrColumn* changed_column(struct copy** copies, const TVMFFITypeAttrColumn* known,
                                                         void (*change)(TVMFFITypeAttrColumn* column)) {
  const int32_t size = __atomic_load_n(&known->size, __ATOMIC_ACQUIRE);
  TVMFFITypeAttrColumn column = *known;
  column.size = size;
  const size_t entries = (size_t)size * sizeof(TVMFFIAny);
  const struct part state[] = {{&column, sizeof(column)}, {column.data, entries}, {NULL, 0}};
  struct copy* copy = copy_of(__atomic_load_n(copies, __ATOMIC_ACQUIRE), state);
  if (copy) return &copy->given.column;

  copy = new_copy(state);
  if (entries) column.data = memcpy((char*)(copy + 1) + copy->size, column.data, entries);
  change(&column);
  copy->given.column = column;
  return &publish(copies, copy)->given.column;
}

/** The fields of a copy, for the change to write. */
static inline TVMFFIFieldInfo* fields_of(TVMFFITypeInfo* record) { return (TVMFFIFieldInfo*)record->fields; }

/** The method of a copy with this name, for the change to write. */
static inline TVMFFIMethodInfo* method_of(TVMFFITypeInfo* record, const char* name) {
  TVMFFIMethodInfo* methods = (TVMFFIMethodInfo*)record->methods;
  for (int32_t i = 0; i < record->num_methods; ++i) {
    if (is(&methods[i].name, name)) return &methods[i];
  }
  fprintf(stderr, "there is no method %s\n", name);
  abort();
}

/** The entry of a type in the copy of a column, for the change to write. */
static inline TVMFFIAny* entry_of(TVMFFITypeAttrColumn* column, const char* type_key) {
  const TVMFFIByteArray key = {type_key, strlen(type_key)};
  int32_t index = 0;
  if (real.TVMFFITypeKeyToIndex(&key, &index) != 0) abort();
  return (TVMFFIAny*)&column->data[index - column->begin_index];
}

/** Puts a function with the callee in the place of one in a copy; the callee's first argument is the original. */
static inline void wrap_function(TVMFFIAny* function, TVMFFISafeCallType callee) {
  TVMFFIObjectHandle wrapper = NULL;
  if (real.TVMFFIFunctionCreate(function->v_obj, callee, NULL, &wrapper) != 0) abort();
  function->v_obj = wrapper;
}

#endif /* TVM_FFI_CHANGED_RECORD_H_ */

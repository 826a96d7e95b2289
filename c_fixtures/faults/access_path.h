/*
 * Faults in what access paths do:
 *
 *   CHANGED_METHOD_OF_PATHS("_path_equal", callee)         puts a function with the callee in the place of this method
 *
 * The callee's first argument is the original.
 */
#ifndef TVM_FFI_ACCESS_PATH_H_
#define TVM_FFI_ACCESS_PATH_H_

#include "changed_record.h"
#include "wrapped_global.h"

#define CHANGED_METHOD_OF_PATHS(NAME, CALLEE)                                                                 \
  static void change(TVMFFITypeInfo* record) { wrap_function(&method_of(record, NAME)->method, CALLEE); } \
  CHANGED_RECORD_OF("ffi.reflection.AccessPath", change)

/** What lies behind the handle of a step. */
struct step {
  TVMFFIObject header;
  int32_t kind;
  TVMFFIAny key;
};

/** What lies behind the handle of a path; the root has no step and no parent. */
struct path {
  TVMFFIObject header;
  const struct path* parent;
  const struct step* step;
  int32_t depth;
};

static inline const struct path* path_of(const TVMFFIAny* value) { return (const struct path*)value->v_obj; }

/** The beginning of a path that has so many steps. */
static inline const struct path* beginning(const struct path* path, int32_t depth) {
  while (path->depth > depth) path = path->parent;
  return path;
}

static inline int same_key(const TVMFFIAny* left, const TVMFFIAny* right) {
  TVMFFIByteArray one = text_of(left), other = text_of(right);
  if (one.size || other.size) return one.size == other.size && memcmp(one.data, other.data, one.size) == 0;
  return memcmp(left, right, sizeof(*left)) == 0;
}

/** Whether two steps are to the same, be it there or missing. */
static inline int same_access(const struct step* left, const struct step* right) {
  return left->kind % 3 == right->kind % 3 && same_key(&left->key, &right->key);
}

#endif /* TVM_FFI_ACCESS_PATH_H_ */

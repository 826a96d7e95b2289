/*
 * Faults in the virtual table of the system library's module, through which C++ clients call its methods.
 * `change_virtual_table` gives the module a copy of the table in which something was changed.
 */
#ifndef TVM_FFI_VIRTUAL_TABLE_H_
#define TVM_FFI_VIRTUAL_TABLE_H_

#include "wrapped_global.h"

/** Offset and type information, and behind them the methods, the first of which is what an object points to. */
static void* virtual_table[14];
enum { TYPE_INFORMATION = 1, METHODS = 2 };

/** Gives the module in `result` a table of its own, which `change` has changed. */
static inline void change_virtual_table(const TVMFFIAny* module, void (*change)(void** table)) {
  void*** place = (void***)((char*)module->v_obj - sizeof(void*));
  if (*place == virtual_table + METHODS) return;
  memcpy(virtual_table, *place - METHODS, sizeof(virtual_table));
  change(virtual_table);
  *place = virtual_table + METHODS;
}

#endif /* TVM_FFI_VIRTUAL_TABLE_H_ */

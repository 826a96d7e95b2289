/*
 * What the parts of the interposer share. A call of a client's goes through three steps: `enter`, the checks of its arguments, and
 * `leave`; the functions themselves are written by build.rs from abi.toml. Calls that the library makes of itself pass unseen.
 *
 * Findings and objects are kept in memory of our own, which the search for lost objects leaves out.
 */
#ifndef TVM_FFI_WATCH_H_
#define TVM_FFI_WATCH_H_

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <unistd.h>

/* Written by build.rs: struct functions, with a pointer for every function under its own name. */
#include "functions.h"

/** The functions of the library that the program uses. */
extern struct functions real;

/* ---- memory.c: memory of our own, and memory that may not be there ------------------------------------------------ */

/** Where in a range of addresses memory of our own begins, for the search to leave it out, and where that ends; the range's end if none. */
uintptr_t next_of_ours(uintptr_t begin, uintptr_t end, uintptr_t* until);
/** Memory for good, of our own. */
void* own_memory(size_t size);
/** Copies memory that may not be there; 0 if it is. */
int read_memory(void* to, const void* from, size_t size);

/* ---- library.c: which library the program uses, and its types ----------------------------------------------------- */

/** Whether a place in code belongs to the library; finds the library on the first call. */
int from_library(const void* place);
/** Whether a place in code belongs to the interposer. */
int from_us(const void* place);
/** The loader's dlsym: under that name stands ours. */
void* look_up(void* handle, const char* name);
/** A function of ours, and where the address of the library's own is kept. */
struct stand_in {
  const char* name;
  void* function;
  void** real;
};
/** What stands before a function of the library; NULL for a name that is none. Written by build.rs. */
const struct stand_in* stand_in_for(const char* name);
/** Ends the process: the library has no such function, and a loader would have said so. */
void lacks(const char* name) __attribute__((noreturn, cold));
/** The file of the library, or NULL as long as none was found. */
const char* library_path(void);
/** What is called with the file of the library when it has been found, before anybody else calls its functions; NULL for nothing. */
extern void (*when_found)(const char* library);
/** Whether a library of the legacy generation of the ABI is loaded, and its file. */
int finds_legacy(char* file, size_t size);
/** The type key of an index, as text of the library's; never NULL. */
TVMFFIByteArray key_of(int32_t type_index);
/** Notes that the library knows this type index. */
void note_type(int32_t type_index);

/* ---- records.c: what is written down ------------------------------------------------------------------------------ */

/** Whether findings are wanted at all. */
extern int is_watching;
/** Begins to write to a file; -1 if that cannot be. */
int begin_records(const char* file);
/** Says that this process uses a library of an older generation of the ABI. */
void tell_older(const char* generation, const char* library) __attribute__((cold));

/** A backtrace that was seen, by its number; 0 is none. */
typedef uint32_t trace_id;

/** The backtrace of the caller, for findings. */
trace_id trace_now(void);
/** As trace_now, for what happens often: the first of a place in full, later ones now and then; otherwise the place alone. */
trace_id trace_often(const void* from);

struct node;
struct lease;

/**
 * Writes a finding down: the rule, the call that shows it, the object it is about (or NULL), and a sentence. The same one from the same
 * place is written a few times only.
 */
void found(const char* rule, const char* call, const struct node* about, const char* format, ...)
    __attribute__((format(printf, 4, 5), cold));
/** As found, with a backtrace that was taken before. */
void found_at(trace_id at, const char* rule, const char* call, const struct node* about, const char* format, ...)
    __attribute__((format(printf, 5, 6), cold));

/* ---- threads.c: what is known of a thread ------------------------------------------------------------------------- */

struct thread {
  /** How many callbacks of the client's are running. */
  int depth;
  /** How many calls into the library and ends of objects are running. */
  int inside;
  /** Set when the thread has run its destructors. */
  int ended;
  int known;
  /** The call that failed and left an error, NULL if none did. */
  const char* failed;
  int failed_depth;
  trace_id failed_at;
  /** How many ends of objects are running, and those that the outermost of them has to see to. */
  int nested;
  struct node* postponed;
  /** Objects that have ended and are still to be poisoned. */
  struct node* ending;
};

extern _Thread_local struct thread this_thread;

/** Has the thread's end be noticed. */
void know_thread(void) __attribute__((cold));
/** Whether an error is raised on this thread. */
int is_raised(void);

/* ---- objects.c: objects that have crossed the border --------------------------------------------------------------- */

enum state { ALIVE, ENDING, ENDED };

/** An object that was seen. */
struct node {
  struct node* next;
  TVMFFIObject* object;
  void (*deleter)(void* self, int flags);
  /** The call in which it was first seen, and where that was. */
  const char* made_by;
  trace_id made;
  trace_id ended;
  int32_t type_index;
  /** References that the client was given and has not given back through the library. */
  int32_t owned;
  enum state state;
  /** Whether its deleter is running. */
  int is_ending;
  /** Whether its memory is kept: it was poisoned, and `saved` has what was there. */
  int is_kept;
  /** Whether something was said of its end already. */
  int is_told;
  uint32_t size;
  unsigned char saved[96];
  struct node* then;
  /** What a Tensor was made of, if the client has handed that over. */
  struct lease* lease;
  /** What has a look at that whenever the Tensor crosses the border, and at its end. */
  void (*look)(const char* call, const struct node* node);
  int is_reached;
};

/** Begins to watch an object that has crossed the border, unless it is watched already. The object is alive. */
void know_object(const char* call, const void* from, TVMFFIObject* object);
/** What is known of an address; NULL for nothing. */
struct node* node_of(const void* object);
/** The client was given references to an object, or gave them up. */
void count_owned(struct node* node, int32_t change);
/** Whether the address is that of an object that has ended. */
int has_ended(const struct node* node);
/** Poisons the objects that have ended in the call that is over. */
void settle(void);
/** Has a look at all objects that were kept, at the end of the process. */
void look_at_kept(void);
/** Calls a function with each node. */
void each_node(void (*visit)(struct node*, void*), void* context);
void lock_objects(void);
void unlock_objects(void);
/** What lies in a poisoned word: the node that it belongs to, NULL if it is no such word. */
struct node* node_of_poison(uint64_t word);

/* ---- values.c: what a client passes ------------------------------------------------------------------------------- */

/** The name of the calls of the client's own functions. */
extern const char CALLBACK[];

#define CALL_WHILE_RAISED 1
#define CALL_WITHOUT_THREAD 2

/** A call of a client's. */
struct call {
  const char* name;
  const void* from;
  int flags;
  /** The object that the call is about, where it has one. */
  struct node* about;
  /** Whether its handle is one of an object that has ended: the call would make things worse. */
  int is_refused;
};

void enter(struct call* call, const char* name, const void* from, int flags);
void status(struct call* call, int rc);
void leave(struct call* call);
/** `wanted` is the type index that it has to have, 0 for any. */
void check_handle(struct call* call, const char* name, TVMFFIObjectHandle handle, int is_nullable, int32_t wanted);
void check_bytes(struct call* call, const char* name, const TVMFFIByteArray* bytes);
void check_view(struct call* call, const char* name, const TVMFFIAny* value);
/** A value that the client has made, an owned one or a view; 0 if it may not be followed. */
int check_value(const char* call, const void* from, const char* name, const TVMFFIAny* value);
void got_object(struct call* call, TVMFFIObjectHandle object);
void got_value(struct call* call, const TVMFFIAny* value);

/** A tensor that the library gave out. */
struct export {
  /** What the client was given, and how far in it the DLTensor is. */
  uintptr_t place;
  size_t tensor;
  const char* made_by;
  trace_id made;
  int* is_reached;
};

/* ---- tensors.c, lost.c -------------------------------------------------------------------------------------------- */

/** What is wrong with a tensor that the client has described is written down. */
void check_tensor(const char* call, const char* name, const DLTensor* tensor, int must_have_strides);
/** Calls a function with each tensor that the library gave out and did not get back yet. */
void each_export(void (*visit)(const struct export* export, void*), void* context);
/** Writes down which objects nobody can reach. */
void find_lost(void);

#endif /* TVM_FFI_WATCH_H_ */

#ifndef TOKENVAULT_CTOML_H
#define TOKENVAULT_CTOML_H

/* toml++ (C++17) behind one C function. No exception crosses it, and no C++ type shows. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a node is. */
enum ctoml_kind {
  CTOML_TABLE = 0,
  CTOML_ARRAY = 1,
  CTOML_STRING = 2,
  CTOML_INTEGER = 3,
  CTOML_FLOAT = 4,
  CTOML_BOOLEAN = 5,
  CTOML_DATE = 6 /* a date, a time or both */
};

/* One node of the document. A node comes after the table or array that holds it. */
typedef struct ctoml_node {
  int32_t parent;    /* index of the table or array that holds it, -1 for the root */
  int32_t kind;      /* enum ctoml_kind */
  const char *key;   /* its key in the table that holds it, NULL elsewhere; UTF-8, length below */
  size_t key_length;
  uint32_t key_line; /* lines and columns count from 1; 0 is unknown */
  uint32_t key_column;
  uint32_t line;
  uint32_t column;
  const char *text;  /* of a string: UTF-8, may hold NUL; NULL elsewhere */
  size_t text_length;
  int64_t integer;   /* of an integer; 0 or 1 of a boolean */
  double number;     /* of a float */
} ctoml_node;

/* A parsed document, or why and where the text is not TOML. */
typedef struct ctoml_document {
  const ctoml_node *nodes;
  size_t count;
  const char *error; /* NULL where the text was parsed; never quotes a value of the text */
  uint32_t error_line;
  uint32_t error_column;
} ctoml_document;

/* Parses `length` bytes. NULL means out of memory. Release the answer with ctoml_free. */
const ctoml_document *ctoml_parse(const char *bytes, size_t length);

/* Releases what ctoml_parse gave; NULL is allowed. */
void ctoml_free(const ctoml_document *document);

#ifdef __cplusplus
}
#endif

#endif

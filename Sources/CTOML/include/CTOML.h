#ifndef TOKENVAULT_CTOML_H
#define TOKENVAULT_CTOML_H
#ifdef __cplusplus
extern "C" {
#endif
int ctoml_version(void);
#ifdef __cplusplus
}
#endif
#endif

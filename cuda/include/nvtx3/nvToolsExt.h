// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges and marks for profilers (NVTX). They do nothing.
#ifndef GPUTEST_CUDA_NVTX_H
#define GPUTEST_CUDA_NVTX_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

#ifdef __cplusplus
#define GPUTEST_NVTX(type, name, parameters, value)                                                \
  inline type name parameters {                                                                    \
    return value;                                                                                  \
  }
#define GPUTEST_NVTX_NOTHING(name, parameters)                                                     \
  inline void name parameters {}
#else
#define GPUTEST_NVTX(type, name, parameters, value)                                                \
  static inline type name parameters {                                                             \
    return value;                                                                                  \
  }
#define GPUTEST_NVTX_NOTHING(name, parameters)                                                     \
  static inline void name parameters {}
#endif
// Functions for char and wchar_t texts.
#define GPUTEST_NVTX_TEXTS(name, ...)                                                              \
  GPUTEST_NVTX_NOTHING(name##A, (__VA_ARGS__ const char* text))                                    \
  GPUTEST_NVTX_NOTHING(name##W, (__VA_ARGS__ const wchar_t* text))
#define GPUTEST_NVTX_COMMA ,

GPUTEST_NVTX_NOTHING(nvtxInitialize, (const void* reserved))
GPUTEST_NVTX_TEXTS(nvtxMark, )
GPUTEST_NVTX_NOTHING(nvtxMarkEx, (const nvtxEventAttributes_t* event))
GPUTEST_NVTX(int, nvtxRangePushA, (const char* text), NVTX_NO_PUSH_POP_TRACKING)
GPUTEST_NVTX(int, nvtxRangePushW, (const wchar_t* text), NVTX_NO_PUSH_POP_TRACKING)
GPUTEST_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t* event), NVTX_NO_PUSH_POP_TRACKING)
GPUTEST_NVTX(int, nvtxRangePop, (void), NVTX_NO_PUSH_POP_TRACKING)
GPUTEST_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char* text), 0)
GPUTEST_NVTX(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t* text), 0)
GPUTEST_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t* event), 0)
GPUTEST_NVTX_NOTHING(nvtxRangeEnd, (nvtxRangeId_t id))
GPUTEST_NVTX_TEXTS(nvtxNameCategory, uint32_t category GPUTEST_NVTX_COMMA)
GPUTEST_NVTX_TEXTS(nvtxNameOsThread, uint32_t thread GPUTEST_NVTX_COMMA)
GPUTEST_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char* name), 0)
GPUTEST_NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, (const wchar_t* name), 0)
GPUTEST_NVTX_NOTHING(nvtxDomainDestroy, (nvtxDomainHandle_t domain))
GPUTEST_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, (nvtxDomainHandle_t domain, const char* text), 0)
GPUTEST_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW, (nvtxDomainHandle_t domain, const wchar_t* text), 0)
GPUTEST_NVTX_NOTHING(nvtxDomainMarkEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event))
GPUTEST_NVTX(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event),
             NVTX_NO_PUSH_POP_TRACKING)
GPUTEST_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t domain), NVTX_NO_PUSH_POP_TRACKING)
GPUTEST_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event), 0)
GPUTEST_NVTX_NOTHING(nvtxDomainRangeEnd, (nvtxDomainHandle_t domain, nvtxRangeId_t id))
GPUTEST_NVTX_TEXTS(nvtxDomainNameCategory, nvtxDomainHandle_t domain GPUTEST_NVTX_COMMA uint32_t category GPUTEST_NVTX_COMMA)
#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangePush nvtxRangePushW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif

#endif

// What the programs use of a C library: the same code for each engine.
#pragma once
#define NULL ((void *)0)
#define RAND_MAX 2147483647
typedef __SIZE_TYPE__ size_t;

int printf(const char *format, ...);
int putchar(int byte);
int puts(const char *text);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
char *strcpy(char *restrict to, const char *restrict from);
_Noreturn void exit(int status);
#define sqrt __builtin_sqrt
#define fabs __builtin_fabs
#define floor __builtin_floor
double sin(double x);
double cos(double x);

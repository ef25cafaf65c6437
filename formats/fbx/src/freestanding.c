/* What ufbx takes from C's standard library and Rust's lacks, for targets that have no library of C. The flags with which both
 * are compiled stand in .cargo/config.toml. */

#include <stddef.h>
#include <stdint.h>

const void *memchr(const void *bytes, int value, size_t count)
{
	const unsigned char *at = bytes;
	for (; count > 0; count--, at++) {
		if (*at == (unsigned char)value) return at;
	}
	return NULL;
}

int strncmp(const char *a, const char *b, size_t count)
{
	for (; count > 0; count--, a++, b++) {
		if (*a != *b || *a == '\0') return (unsigned char)*a - (unsigned char)*b;
	}
	return 0;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, SIZE_MAX);
}

/* The number beside x, on the side of y. Numbers of one sign are in the order of their bits. */
double nextafter(double x, double y)
{
	union { double number; uint64_t bits; } next = { x };
	if (x != x || y != y) return x + y;
	if (x == y) return y;
	if (x == 0.0) {
		next.bits = 1;
		return y < 0.0 ? -next.number : next.number;
	}
	if ((x < y) == (x > 0.0)) next.bits++;
	else next.bits--;
	return next.number;
}

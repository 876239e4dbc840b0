// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stream: the child program of the stream workload. It measures how fast a set
 * of threads moves data through memory with the four operations that STREAM
 * defined (a variant of that benchmark, not its code), checks the arrays, and
 * prints one line of JSON. It links libc and pthreads only.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "benchmarks/program.h"

enum {
	EXIT_RUN = 1,
	EXIT_USAGE = 2,
	MIN_TICKS = 20,
	/*
	 * Every pass multiplies the values by 15 and a double holds 262 such steps,
	 * so after this many the arrays are checked and filled anew, untimed.
	 */
	ROUND_PASSES = 200,
};

enum { A, B, C, NR_ARRAYS };
enum { COPY, SCALE, ADD, TRIAD, NR_OPERATIONS };

#define SCALAR	  3.0
#define MAX_ERROR 1e-13
#define SPIN_NS	  UINT64_C(5000000)

struct options {
	bool per_thread;
	uint64_t threads, size, ntimes;
};

/*
 * Between operations a thread spins for a while before it sleeps, as OpenMP's
 * threads do. A barrier that always sleeps costs little at 10 million elements
 * (tens of microseconds beside milliseconds) but would have the kernel place
 * every thread anew up to eight times a pass, pulled towards the waker: another
 * workload. With more threads than CPUs spinning would only keep others out.
 */
struct barrier {
	unsigned int threads;
	bool spins;
	_Alignas(PROGRAM_CACHE_LINE) atomic_uint arrived;
	_Alignas(PROGRAM_CACHE_LINE) atomic_uint turn;
};

struct worker {
	struct run *run;
	pthread_t thread;
	double *chunk[NR_ARRAYS];
	size_t nr;
	double error[NR_ARRAYS];
};

struct run {
	struct options options;
	struct barrier barrier;
	struct worker *workers;
	uint64_t best_ns[NR_OPERATIONS];
	uint64_t total_ns[NR_OPERATIONS];
};

static _Noreturn __attribute__((format(printf, 2, 3))) void die(int status,
								const char *fmt, ...)
{
	va_list args;

	fputs("stream: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(status);
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ __volatile__("yield");
#endif
}

static bool barrier_spin(struct barrier *barrier, unsigned int turn)
{
	uint64_t end_ns = program_now_ns() + SPIN_NS;
	unsigned int i;

	do {
		for (i = 0; i < 256; i++) {
			if (atomic_load(&barrier->turn) != turn)
				return true;
			relax();
		}
	} while (program_now_ns() < end_ns);
	return false;
}

static void barrier_wait(struct barrier *barrier)
{
	unsigned int turn = atomic_load(&barrier->turn);

	if (atomic_fetch_add(&barrier->arrived, 1) + 1 == barrier->threads) {
		atomic_store(&barrier->arrived, 0);
		atomic_fetch_add(&barrier->turn, 1);
		syscall(SYS_futex, &barrier->turn, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL,
			NULL, 0);
		return;
	}
	if (barrier->spins && barrier_spin(barrier, turn))
		return;
	while (atomic_load(&barrier->turn) == turn)
		syscall(SYS_futex, &barrier->turn, FUTEX_WAIT_PRIVATE, turn, NULL, NULL,
			0);
}

/*
 * Not inlined, so that the compiler sees nothing but the loop and restrict
 * holds for the whole of it.
 */
#define OPERATION static __attribute__((noinline)) void

OPERATION copy(double *restrict c, const double *restrict a, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		c[i] = a[i];
}

OPERATION scale(double *restrict b, const double *restrict c, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		b[i] = SCALAR * c[i];
}

OPERATION add(double *restrict c, const double *restrict a, const double *restrict b,
	      size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		c[i] = a[i] + b[i];
}

OPERATION triad(double *restrict a, const double *restrict b, const double *restrict c,
		size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		a[i] = b[i] + SCALAR * c[i];
}

static const struct {
	const char *name;
	unsigned int bytes; /* moved per element: arrays read or written, 8 each */
} operations[NR_OPERATIONS] = {
	[COPY] = { "copy", 16 },
	[SCALE] = { "scale", 16 },
	[ADD] = { "add", 24 },
	[TRIAD] = { "triad", 24 },
};

static void operate(const struct worker *worker, unsigned int operation)
{
	double *const *chunk = worker->chunk;

	switch (operation) {
	case COPY:
		copy(chunk[C], chunk[A], worker->nr);
		break;
	case SCALE:
		scale(chunk[B], chunk[C], worker->nr);
		break;
	case ADD:
		add(chunk[C], chunk[A], chunk[B], worker->nr);
		break;
	default:
		triad(chunk[A], chunk[B], chunk[C], worker->nr);
		break;
	}
}

/*
 * Each thread writes its own chunk first: that decides the node of its pages.
 * All three arrays advance together, as STREAM's do, and the compiler is kept
 * from splitting the loop: the order of first touch also decides how small
 * pages lie in memory, which was seen to move the rates by a fifth.
 */
static void fill(const struct worker *worker)
{
	size_t i;

	for (i = 0; i < worker->nr; i++) {
		worker->chunk[A][i] = 1.0;
		worker->chunk[B][i] = 2.0;
		worker->chunk[C][i] = 0.0;
		__asm__ __volatile__("" ::: "memory");
	}
	/* The calibration pass, which is part of what the values must come to. */
	for (i = 0; i < worker->nr; i++)
		worker->chunk[A][i] = 2.0 * worker->chunk[A][i];
}

/* What one element of each array must be after fill() and @passes passes. */
static void replay(unsigned int passes, double *expected)
{
	expected[A] = 2.0;
	expected[B] = 2.0;
	expected[C] = 0.0;
	for (; passes > 0; passes--) {
		expected[C] = expected[A];
		expected[B] = SCALAR * expected[C];
		expected[C] = expected[A] + expected[B];
		expected[A] = expected[B] + SCALAR * expected[C];
	}
}

static void sum_errors(struct worker *worker, unsigned int passes)
{
	double expected[NR_ARRAYS];
	unsigned int array;
	size_t i;

	replay(passes, expected);
	for (array = 0; array < NR_ARRAYS; array++) {
		double sum = 0.0;

		for (i = 0; i < worker->nr; i++)
			sum += fabs(worker->chunk[array][i] - expected[array]);
		worker->error[array] = sum;
	}
}

static void check_errors(const struct run *run, unsigned int passes)
{
	double expected[NR_ARRAYS];
	unsigned int array;
	uint64_t i;

	replay(passes, expected);
	for (array = 0; array < NR_ARRAYS; array++) {
		double sum = 0.0, mean;

		for (i = 0; i < run->options.threads; i++)
			sum += run->workers[i].error[array];
		mean = sum / (double)run->options.size;
		/* Written so that an error which isn't a number fails too. */
		if (!(mean <= MAX_ERROR * expected[array]))
			die(EXIT_RUN,
			    "array '%c' is wrong after %u passes: the average error of "
			    "an element is %e where %e is expected",
			    "abc"[array], passes, mean, expected[array]);
	}
}

/*
 * The clock is read before the barrier that lets the threads go and after the
 * one that all of them reach when done, so no work escapes it. The first pass
 * isn't counted.
 */
static void pass(struct worker *worker, bool is_counted)
{
	struct run *run = worker->run;
	bool is_timer = is_counted && worker == run->workers;
	unsigned int operation;

	for (operation = 0; operation < NR_OPERATIONS; operation++) {
		uint64_t start_ns = is_timer ? program_now_ns() : 0, time_ns;

		barrier_wait(&run->barrier);
		operate(worker, operation);
		barrier_wait(&run->barrier);
		if (!is_timer)
			continue;
		time_ns = program_now_ns() - start_ns;
		run->total_ns[operation] += time_ns;
		if (time_ns < run->best_ns[operation])
			run->best_ns[operation] = time_ns;
	}
}

static void work(struct worker *worker)
{
	struct run *run = worker->run;
	uint64_t done = 0;

	barrier_wait(&run->barrier);
	while (done < run->options.ntimes) {
		uint64_t left = run->options.ntimes - done;
		unsigned int passes =
			left < ROUND_PASSES ? (unsigned int)left : ROUND_PASSES;
		unsigned int i;

		fill(worker);
		for (i = 0; i < passes; i++, done++)
			pass(worker, done > 0);
		sum_errors(worker, passes);
		barrier_wait(&run->barrier);
		/* Nobody writes errors again before this thread joins a next pass. */
		if (worker == run->workers)
			check_errors(run, passes);
	}
}

static void *worker_main(void *worker)
{
	work(worker);
	return NULL;
}

/* The process' CPU mask; the kernel refuses a set smaller than its own. */
static cpu_set_t *read_mask(size_t *ret_bytes)
{
	int bits;

	for (bits = CPU_SETSIZE; bits <= 1 << 22; bits *= 2) {
		size_t bytes = CPU_ALLOC_SIZE(bits);
		cpu_set_t *mask = calloc(1, bytes);

		if (!mask)
			die(EXIT_RUN, "out of memory");
		if (!sched_getaffinity(0, bytes, mask)) {
			*ret_bytes = bytes;
			return mask;
		}
		free(mask);
		if (errno != EINVAL)
			break;
	}
	die(EXIT_RUN, "cannot read the CPU mask of the process: %s", strerror(errno));
}

/* The first CPU of @mask that is not below @cpu; there must be one. */
static size_t next_cpu(const cpu_set_t *mask, size_t bytes, size_t cpu)
{
	while (!CPU_ISSET_S(cpu, bytes, mask))
		cpu++;
	return cpu;
}

static void start_worker(struct run *run, uint64_t idx, const cpu_set_t *cpus,
			 size_t bytes)
{
	pthread_attr_t attr;
	int code;

	code = pthread_attr_init(&attr);
	if (!code)
		code = pthread_attr_setstacksize(&attr, PROGRAM_STACK_BYTES);
	if (!code && cpus)
		code = pthread_attr_setaffinity_np(&attr, bytes, cpus);
	if (!code)
		code = pthread_create(&run->workers[idx].thread, &attr, worker_main,
				      &run->workers[idx]);
	if (code)
		die(EXIT_RUN, "cannot start thread %" PRIu64 " of %" PRIu64 "%s: %s",
		    idx + 1, run->options.threads, cpus ? " on a CPU of its own" : "",
		    strerror(code));
	pthread_attr_destroy(&attr);
}

/* Thread i gets the i-th CPU of @mask to itself; the calling one is thread 0. */
static void start_bound(struct run *run, const cpu_set_t *mask, size_t bytes)
{
	cpu_set_t *one = calloc(1, bytes);
	size_t cpu = 0;
	uint64_t i;

	if (!one)
		die(EXIT_RUN, "out of memory");
	for (i = 0; i < run->options.threads; i++) {
		cpu = next_cpu(mask, bytes, cpu);
		CPU_ZERO_S(bytes, one);
		CPU_SET_S(cpu, bytes, one);
		if (i > 0)
			start_worker(run, i, one, bytes);
		else if (sched_setaffinity(0, bytes, one))
			die(EXIT_RUN, "cannot bind the first thread to CPU %zu: %s", cpu,
			    strerror(errno));
		cpu++;
	}
	free(one);
}

static void start_workers(struct run *run)
{
	size_t bytes;
	cpu_set_t *mask = read_mask(&bytes);
	uint64_t nr_cpus = (uint64_t)CPU_COUNT_S(bytes, mask);
	uint64_t i;

	run->barrier.spins = run->options.threads <= nr_cpus;
	if (!run->options.per_thread) {
		for (i = 1; i < run->options.threads; i++)
			start_worker(run, i, NULL, 0);
	} else if (run->options.threads > nr_cpus) {
		die(EXIT_RUN,
		    "per-thread affinity of %" PRIu64 " threads needs as many CPUs, "
		    "the process may use %" PRIu64,
		    run->options.threads, nr_cpus);
	} else {
		start_bound(run, mask, bytes);
	}
	free(mask);
}

/*
 * One mapping for the three arrays, one behind the other as static arrays would
 * be: three mappings would all begin at the same place in a page.
 */
static double *map_arrays(uint64_t size, uint64_t *ret_stride, uint64_t *ret_bytes)
{
	const uint64_t line = PROGRAM_CACHE_LINE / sizeof(double);
	uint64_t stride, bytes;
	void *arrays;

	if (__builtin_add_overflow(size, line - 1, &stride) ||
	    __builtin_mul_overflow(stride / line,
				   (uint64_t)PROGRAM_CACHE_LINE * NR_ARRAYS, &bytes) ||
	    bytes > SIZE_MAX)
		die(EXIT_RUN,
		    "three arrays of %" PRIu64 " elements exceed the address space",
		    size);
	arrays = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (arrays == MAP_FAILED)
		die(EXIT_RUN, "cannot allocate %" PRIu64 " bytes for the arrays: %s",
		    bytes, strerror(errno));
	*ret_stride = stride / line * line;
	*ret_bytes = bytes;
	return arrays;
}

/* Chunks are contiguous and differ by one element at most. */
static void share_out(struct run *run, double *arrays, uint64_t stride)
{
	uint64_t threads = run->options.threads;
	uint64_t rest = run->options.size % threads;
	uint64_t begin = 0, i;

	for (i = 0; i < threads; i++) {
		struct worker *worker = &run->workers[i];
		unsigned int array;

		worker->run = run;
		worker->nr = (size_t)(run->options.size / threads + (i < rest));
		for (array = 0; array < NR_ARRAYS; array++)
			worker->chunk[array] = arrays + array * stride + begin;
		begin += worker->nr;
	}
}

/* The smallest step the clock was seen to make, its reading included. */
static uint64_t clock_tick_ns(void)
{
	uint64_t tick_ns = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		uint64_t before_ns = program_now_ns(), after_ns;

		do
			after_ns = program_now_ns();
		while (after_ns == before_ns);
		if (after_ns - before_ns < tick_ns)
			tick_ns = after_ns - before_ns;
	}
	return tick_ns;
}

static void check_clock(const struct run *run)
{
	uint64_t tick_ns = clock_tick_ns();
	unsigned int operation, shortest = 0;

	for (operation = 1; operation < NR_OPERATIONS; operation++) {
		if (run->best_ns[operation] < run->best_ns[shortest])
			shortest = operation;
	}
	if (run->best_ns[shortest] / MIN_TICKS < tick_ns)
		die(EXIT_RUN,
		    "'%s' took %" PRIu64 " ns, fewer than %d clock ticks of %" PRIu64
		    " ns: enlarge size",
		    operations[shortest].name, run->best_ns[shortest], MIN_TICKS,
		    tick_ns);
}

static void print_rates(const struct run *run, const char *suffix, const double *time_ns)
{
	double size = (double)run->options.size;
	unsigned int i;

	for (i = 0; i < NR_OPERATIONS; i++)
		printf("%s\"%s%s\":%.1f", i > 0 ? "," : "", operations[i].name, suffix,
		       size * operations[i].bytes * 1e3 / time_ns[i]);
}

static void print_result(const struct run *run)
{
	const struct options *options = &run->options;
	double best_ns[NR_OPERATIONS], mean_ns[NR_OPERATIONS];
	unsigned int i;

	for (i = 0; i < NR_OPERATIONS; i++) {
		best_ns[i] = (double)run->best_ns[i];
		mean_ns[i] = (double)run->total_ns[i] / (double)(options->ntimes - 1);
	}
	printf("{\"program\":\"stream\",\"affinity\":\"%s\",\"threads\":%" PRIu64
	       ",\"size\":%" PRIu64 ",\"ntimes\":%" PRIu64 ",\"passes\":%" PRIu64
	       ",\"validated\":true,\"metrics\":{",
	       options->per_thread ? "per-thread" : "mask", options->threads,
	       options->size, options->ntimes, options->ntimes);
	print_rates(run, "", best_ns);
	putchar(',');
	print_rates(run, "-avg", mean_ns);
	puts("}}");
	if (program_flush("stream"))
		exit(EXIT_RUN);
}

static void measure(const struct options *options)
{
	struct run run = { .options = *options };
	uint64_t stride, bytes, i;
	double *arrays = map_arrays(options->size, &stride, &bytes);

	run.workers = calloc((size_t)options->threads, sizeof(*run.workers));
	if (!run.workers)
		die(EXIT_RUN, "out of memory");
	run.barrier.threads = (unsigned int)options->threads;
	memset(run.best_ns, 0xff, sizeof(run.best_ns));
	share_out(&run, arrays, stride);

	start_workers(&run);
	work(&run.workers[0]);
	for (i = 1; i < options->threads; i++)
		pthread_join(run.workers[i].thread, NULL);

	check_clock(&run);
	print_result(&run);
	free(run.workers);
	munmap(arrays, (size_t)bytes);
}

static uint64_t parse_number(const char *name, const char *text, uint64_t min,
			     uint64_t max)
{
	uint64_t value;

	if (program_whole(text, max, &value) || value < min)
		die(EXIT_USAGE,
		    "--%s must be a whole number from %" PRIu64 " to %" PRIu64
		    ", not '%s'",
		    name, min, max, text);
	return value;
}

/* The value of "--@name=" among the arguments, which must be there once. */
static const char *find_value(char **args, const char *name)
{
	const char *value = NULL;

	for (; *args; args++) {
		const char *found = program_value(*args, name);

		if (found && value)
			die(EXIT_USAGE, "--%s is given twice", name);
		if (found)
			value = found;
	}
	if (!value)
		die(EXIT_USAGE, "--%s=VALUE is missing", name);
	return value;
}

static void check_names(char **args)
{
	static const char *const known[] = { "affinity", "threads", "size", "ntimes" };
	const size_t nr = sizeof(known) / sizeof(known[0]);
	const char *value;

	for (; *args; args++) {
		if (program_find(*args, known, nr, &value) == nr)
			die(EXIT_USAGE,
			    "'%s' is not one of --affinity=mask|per-thread, "
			    "--threads=N, --size=ELEMENTS and --ntimes=N",
			    *args);
	}
}

static void parse_options(char **args, struct options *options)
{
	const char *affinity;

	check_names(args);
	affinity = find_value(args, "affinity");
	options->per_thread = !strcmp(affinity, "per-thread");
	if (!options->per_thread && strcmp(affinity, "mask"))
		die(EXIT_USAGE, "--affinity must be mask or per-thread, not '%s'",
		    affinity);
	options->threads = parse_number("threads", find_value(args, "threads"), 1, 4096);
	options->size =
		parse_number("size", find_value(args, "size"), 1000, UINT64_C(1) << 40);
	options->ntimes = parse_number("ntimes", find_value(args, "ntimes"), 2, 1000000);
	if (options->size < options->threads)
		die(EXIT_USAGE,
		    "%" PRIu64 " elements can't be shared by %" PRIu64 " threads",
		    options->size, options->threads);
}

int main(int argc, char **argv)
{
	struct options options;

	parse_options(argv + (argc > 0), &options);
	measure(&options);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps the book of a run under Slurm; see slurm_book.h. */
#include "runner/slurm_book.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/text.h"
#include "runner/grid.h"

enum { BOOK_BYTES_MAX = 1 << 28, NAME_DIGITS = 20 };

static const char schema[] = "schedgrid-slurm-1";
static const char prefix[] = "schedgrid-";

static struct jval *submission_json(const struct slurm_submission *submission)
{
	struct jval *json = jval_object();
	struct jval *rows = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < submission->nr_rows; i++)
		bad |= jval_push(rows, jval_from_uint(submission->rows[i]));
	bad |= jval_put(json, "machine", jval_from_uint(submission->machine));
	bad |= jval_put(json, "kernel", jval_from_uint(submission->kernel));
	bad |= jval_put(json, "block", jval_from_uint(submission->block));
	bad |= jval_put(json, "rows", rows);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static struct jval *book_json(const struct slurm_book *book)
{
	struct jval *json = jval_object();
	struct jval *machines = jval_array();
	struct jval *submissions = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < book->nr_machines; i++)
		bad |= jval_push(machines, jval_from_string(book->machines[i]));
	for (i = 0; i < book->nr_submissions; i++)
		bad |= jval_push(submissions, submission_json(&book->submissions[i]));
	bad |= jval_put(json, "schema", jval_from_string(schema));
	bad |= jval_put(json, "id", jval_from_string(book->id));
	bad |= jval_put(json, "grid", jval_from_string(book->grid));
	bad |= jval_put(json, "allow_exec", jval_from_bool(book->allow_exec));
	bad |= jval_put(json, "machines", machines);
	bad |= jval_put(json, "submissions", submissions);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

int slurm_book_save(const struct slurm_book *book, struct err *err)
{
	struct jval *json = book_json(book);
	char *text = json ? jval_write(json, JVAL_LINE) : NULL;
	char *path = file_path("%s/slurm/book.json", book->dir);
	int bad = text && path ? file_replace(path, text, strlen(text), err)
			       : err_nomem(err);

	free(path);
	free(text);
	jval_free(json);
	return bad;
}

static int read_rows(const struct jval *rows, struct slurm_submission *submission)
{
	size_t nr = jval_count(rows);

	submission->rows = calloc(nr + 1, sizeof(*submission->rows));
	if (!submission->rows)
		return -ENOMEM;
	for (; submission->nr_rows < nr; submission->nr_rows++) {
		uint64_t row;

		if (!jval_uint(jval_item(rows, submission->nr_rows), &row))
			return -EPROTO;
		submission->rows[submission->nr_rows] = row;
	}
	return 0;
}

static int read_submissions(const struct jval *list, struct slurm_book *book)
{
	size_t nr = jval_count(list);
	int bad = 0;

	book->submissions = calloc(nr + 1, sizeof(*book->submissions));
	if (!book->submissions)
		return -ENOMEM;
	while (!bad && book->nr_submissions < nr) {
		const struct jval *json = jval_item(list, book->nr_submissions);
		struct slurm_submission *to = &book->submissions[book->nr_submissions++];
		uint64_t machine, kernel;

		if (!jval_uint(jval_get(json, "machine"), &machine) ||
		    !jval_uint(jval_get(json, "kernel"), &kernel) ||
		    !jval_uint(jval_get(json, "block"), &to->block) || !to->block ||
		    machine >= book->nr_machines || kernel >= GRID_MAX_COLUMNS)
			return -EPROTO;
		to->machine = machine;
		to->kernel = kernel;
		bad = read_rows(jval_get(json, "rows"), to);
	}
	return bad;
}

static int read_machines(const struct jval *list, struct slurm_book *book)
{
	size_t nr = jval_count(list);

	book->machines = calloc(nr + 1, sizeof(*book->machines));
	if (!book->machines)
		return -ENOMEM;
	for (; book->nr_machines < nr; book->nr_machines++) {
		const char *name = jval_text(jval_item(list, book->nr_machines));

		/* It is a part of paths. */
		if (!name || !*name || *name == '.' || strchr(name, '/'))
			return -EPROTO;
		book->machines[book->nr_machines] = strdup(name);
		if (!book->machines[book->nr_machines])
			return -ENOMEM;
	}
	return 0;
}

static int read_book(const struct jval *json, struct slurm_book *book)
{
	const char *id = jval_get_text(json, "id");
	const char *grid = jval_get_text(json, "grid");
	int bad;

	if (!id || strlen(id) != SLURM_ID_DIGITS || !grid)
		return -EPROTO;
	memcpy(book->id, id, sizeof(book->id));
	book->allow_exec = jval_is_true(jval_get(json, "allow_exec"));
	free(book->grid);
	book->grid = strdup(grid);
	bad = book->grid ? read_machines(jval_get(json, "machines"), book) : -ENOMEM;
	return bad ? bad : read_submissions(jval_get(json, "submissions"), book);
}

static int parse_book(const char *path, const char *text, size_t len,
		      struct slurm_book *book, struct err *err)
{
	struct err why = { 0 };
	struct jval *json = NULL;
	const char *found;
	int bad = jval_parse(text, len, &json, &why);

	if (bad)
		return err_set(err, bad, "%s: %s", path, why.text);
	found = jval_get_text(json, "schema");
	if (!found || strcmp(found, schema))
		bad = err_set(err, -EPROTO,
			      "%s: schema '%s' is not known (expected '%s')", path,
			      found ? found : "", schema);
	else
		bad = read_book(json, book);
	jval_free(json);
	if (bad == -ENOMEM)
		return err_nomem(err);
	return bad ? err_set(err, bad,
			     "%s is damaged (expected 'id', 'grid', 'machines' and "
			     "'submissions' as the runner writes them)",
			     path)
		   : 0;
}

/* -ENOENT without a word when there is none. */
static int load(struct slurm_book *book, struct err *err)
{
	char *path = file_path("%s/slurm/book.json", book->dir);
	struct err why = { 0 };
	char *text = NULL;
	size_t len;
	int bad;

	if (!path)
		return err_nomem(err);
	bad = file_read(path, BOOK_BYTES_MAX, &text, &len, &why);
	if (!bad)
		bad = parse_book(path, text, len, book, err);
	else if (bad != -ENOENT)
		err_set(err, bad, "%s", why.text);
	free(text);
	free(path);
	return bad;
}

static struct slurm_book *book_new(const char *dir, struct err *err)
{
	struct slurm_book *book = calloc(1, sizeof(*book));

	if (!book) {
		(void)err_nomem(err);
		return NULL;
	}
	book->lock = -1;
	/* Nodes see it from their own working directories. */
	book->dir = realpath(dir, NULL);
	if (book->dir)
		return book;
	err_set(err, -errno, "cannot find the directory '%s': %m", dir);
	free(book);
	return NULL;
}

int slurm_book_load(const char *dir, struct slurm_book **ret, struct err *err)
{
	struct err why = { 0 };
	struct slurm_book *book = book_new(dir, &why);
	int bad;

	if (!book)
		return err_set(err, why.code, "%s", why.text);
	bad = load(book, err);
	if (!bad) {
		*ret = book;
		return 0;
	}
	slurm_book_free(book);
	return bad == -ENOENT ? err_set(err, bad,
					"'%s' is no run under Slurm (expected a "
					"directory with slurm/book.json)",
					dir)
			      : bad;
}

static bool is_empty(const char *dir)
{
	DIR *folder = opendir(dir);
	struct dirent *entry;
	bool is = true;

	while (folder && (entry = readdir(folder)))
		is &= !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
	if (folder)
		(void)closedir(folder);
	return is;
}

static int check_grid(const struct slurm_book *book, const struct grid *grid,
		      struct err *err)
{
	char *path = file_path("%s/grid.yaml", book->dir);
	char *text = NULL;
	size_t len;
	int bad =
		path ? file_read(path, BOOK_BYTES_MAX, &text, &len, err) : err_nomem(err);

	if (!bad && (len != grid->len || memcmp(text, grid->text, len) != 0))
		bad = err_set(err, -EEXIST,
			      "'%s' holds a run of another grid than '%s' (expected the "
			      "same file, or another directory)",
			      book->dir, grid->file);
	free(text);
	free(path);
	return bad;
}

static int begin(struct slurm_book *book, const struct grid *grid, struct err *err)
{
	uint64_t random;
	char *path = file_path("%s/grid.yaml", book->dir);
	int bad = path ? file_replace(path, grid->text, grid->len, err) : err_nomem(err);

	free(path);
	if (!bad && getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		bad = err_set(err, -EIO, "cannot get a random number");
	if (bad)
		return bad;
	(void)snprintf(book->id, sizeof(book->id), "%016" PRIx64, random);
	free(book->grid);
	book->grid = realpath(grid->file, NULL);
	/* From a pipe, or of a file that is gone by now: then it is where the copy lies. */
	if (!book->grid)
		book->grid = file_path("%s/grid.yaml", book->dir);
	return book->grid ? 0 : err_nomem(err);
}

static int lock(struct slurm_book *book, struct err *err)
{
	char *path = file_path("%s/slurm/lock", book->dir);

	if (!path)
		return err_nomem(err);
	book->lock = file_open_regular(path, O_RDWR | O_CREAT, err);
	free(path);
	if (book->lock < 0)
		return book->lock;
	if (!flock(book->lock, LOCK_EX | LOCK_NB))
		return 0;
	if (errno != EWOULDBLOCK)
		return err_set(err, -errno, "cannot lock '%s': %m", book->dir);
	return err_set(err, -EWOULDBLOCK, "another runner follows '%s'", book->dir);
}

static int make_folders(const char *dir, struct err *err)
{
	char *path = file_path("%s/slurm/log", dir);
	int bad = path ? file_make_dirs(path, err) : err_nomem(err);

	free(path);
	return bad;
}

int slurm_book_open(const char *dir, const struct grid *grid, struct slurm_book **ret,
		    struct err *err)
{
	char *inside = file_path("%s/slurm", dir);
	bool is_new = inside && access(inside, F_OK);
	struct slurm_book *book = NULL;
	struct err local = { 0 };
	int bad;

	err = err ? err : &local;
	free(inside);
	if (!inside)
		return err_nomem(err);
	if (is_new && !is_empty(dir))
		return err_set(err, -EEXIST,
			       "'%s' exists and is no run under Slurm (expected a new or "
			       "empty directory, or an earlier run to go on with)",
			       dir);
	if (make_folders(dir, err))
		return err->code;
	book = book_new(dir, err);
	bad = book ? lock(book, err) : err->code;
	if (!bad) {
		bad = load(book, err);
		if (bad == -ENOENT)
			bad = begin(book, grid, err);
		else if (!bad)
			bad = check_grid(book, grid, err);
	}
	if (bad)
		slurm_book_free(book);
	else
		*ret = book;
	return bad;
}

int64_t slurm_book_add(struct slurm_book *book, const struct slurm_submission *submission,
		       struct err *err)
{
	struct slurm_submission *grown =
		reallocarray(book->submissions, book->nr_submissions + 1, sizeof(*grown));
	int bad;

	if (!grown) {
		free(submission->rows);
		return err_nomem(err);
	}
	book->submissions = grown;
	grown[book->nr_submissions++] = *submission;
	bad = slurm_book_save(book, err);
	return bad ? bad : (int64_t)book->nr_submissions;
}

void slurm_book_name(const struct slurm_book *book, uint64_t number,
		     char name[SLURM_NAME_SIZE])
{
	(void)snprintf(name, SLURM_NAME_SIZE, "%s%s-%" PRIu64, prefix, book->id, number);
}

uint64_t slurm_book_number(const struct slurm_book *book, const char *name)
{
	const size_t len = strlen(prefix);
	uint64_t number;

	if (strncmp(name, prefix, len) != 0 ||
	    strncmp(name + len, book->id, SLURM_ID_DIGITS) != 0 ||
	    name[len + SLURM_ID_DIGITS] != '-' ||
	    text_uint(name + len + SLURM_ID_DIGITS + 1, 1, book->nr_submissions, &number,
		      NULL))
		return 0;
	return number;
}

char *slurm_task_dir(const struct slurm_book *book, const struct grid *grid,
		     const struct slurm_submission *submission, size_t row)
{
	return file_path("%s/slurm/tasks/%s/%s-b%" PRIu64 "-r%zu", book->dir,
			 book->machines[submission->machine],
			 grid->columns[submission->kernel].feature, submission->block,
			 row);
}

char *slurm_machine_dir(const struct slurm_book *book, size_t machine)
{
	return file_path("%s/machines/%s", book->dir, book->machines[machine]);
}

void slurm_book_free(struct slurm_book *book)
{
	size_t i;

	if (!book)
		return;
	for (i = 0; i < book->nr_machines; i++)
		free(book->machines[i]);
	for (i = 0; i < book->nr_submissions; i++)
		free(book->submissions[i].rows);
	if (book->lock >= 0)
		(void)close(book->lock);
	free(book->machines);
	free(book->submissions);
	free(book->grid);
	free(book->dir);
	free(book);
}

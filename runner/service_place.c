// SPDX-License-Identifier: GPL-2.0-or-later
/* Directories of services; see service_place.h. */
#include "runner/service_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"

#define PLACES "/var/tmp"
#define PREFIX "schedgrid-service-"
#define SHARED "/dev/shm"

enum {
	LOG_MAX = 1 << 18,
	SHM_TABLE_MAX = 1 << 22,
	MAPS_MAX = 1 << 26,
	ROOM_LEAST = 1 << 20,
};

/*
 * struct leaver - who may have left shared memory
 * @server: its process id; -1: there was none
 * @uid: owner of the service's home
 * @since: when the place was made
 */
struct leaver {
	long server, uid, since;
};

/* The note of a place, in its lock: process id, time, and the boot both are of. */
static int write_note(int lock, long server, long since)
{
	char *boot = file_read_line("/proc/sys/kernel/random/boot_id");
	char *text = file_path("%ld %ld %s\n", server, since, boot ? boot : "unknown");
	int bad = text && pwrite(lock, text, strlen(text), 0) == (ssize_t)strlen(text)
			  ? 0
			  : -EIO;

	if (!bad && ftruncate(lock, (off_t)strlen(text)))
		bad = -errno;
	free(text);
	free(boot);
	return bad;
}

/* False where there is none, or one of an earlier boot: its memory is gone. */
static bool read_note(int lock, struct leaver *ret)
{
	char *boot = file_read_line("/proc/sys/kernel/random/boot_id");
	char text[128] = "";
	char *at = text;
	bool is_of_boot;

	(void)!pread(lock, text, sizeof(text) - 1, 0);
	ret->server = strtol(at, &at, 10);
	ret->since = strtol(at, &at, 10);
	at[strcspn(at, "\n")] = '\0';
	is_of_boot = *at == ' ' && !strcmp(at + 1, boot ? boot : "unknown");
	free(boot);
	return is_of_boot;
}

/*
 * A segment that nobody has attached any more, of the server or, where a user of
 * its own runs nothing but the service, of a process that prepared it and died.
 */
static int left_segment(const char *line, const struct leaver *leaver)
{
	enum { ID = 1, CPID = 4, NR_ATTACHED = 6, OWNER = 7, MADE = 13, NR_FIELDS };
	long field[NR_FIELDS];
	bool is_left;
	char *at;
	size_t i;

	/* key shmid perms size cpid lpid nattch uid gid cuid cgid atime dtime ctime */
	for (i = 0; i < NR_FIELDS; i++) {
		field[i] = strtol(line, &at, 10);
		if (at == line)
			return -1;
		line = at;
	}
	is_left = field[CPID] == leaver->server;
	if (!is_left && leaver->uid && !geteuid())
		is_left = field[OWNER] == leaver->uid && field[MADE] >= leaver->since &&
			  kill((pid_t)field[CPID], 0) && errno == ESRCH;
	return is_left && !field[NR_ATTACHED] ? (int)field[ID] : -1;
}

static void remove_segments(const struct leaver *leaver)
{
	char *table = NULL;
	char *rest = NULL;
	char *line;
	int id;

	if (file_read("/proc/sysvipc/shm", SHM_TABLE_MAX, &table, NULL, NULL))
		return;
	for (line = strtok_r(table, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		id = left_segment(line, leaver);
		if (id >= 0)
			(void)shmctl(id, IPC_RMID, NULL);
	}
	free(table);
}

/* Whether a process that we can see has the file in its memory. */
static bool is_mapped(const char *path)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	bool is = false;

	while (proc && !is && (entry = readdir(proc))) {
		char *name = file_path("/proc/%s/maps", entry->d_name);
		char *maps = NULL;

		if (name && *entry->d_name >= '0' && *entry->d_name <= '9' &&
		    !file_read(name, MAPS_MAX, &maps, NULL, NULL))
			is = strstr(maps, path) != NULL;
		free(maps);
		free(name);
	}
	if (proc)
		(void)closedir(proc);
	return is;
}

/*
 * PostgreSQL's shared memory in files, which the programs that prepare a server have
 * whatever that is told to use: those that nobody has any more.
 */
static void remove_files(const struct leaver *leaver)
{
	static const char prefix[] = "PostgreSQL.";
	DIR *files = opendir(SHARED);
	struct dirent *entry;
	struct stat info;

	while (files && (entry = readdir(files))) {
		char *path = NULL;

		if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
		    fstatat(dirfd(files), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(info.st_mode) || (long)info.st_uid != leaver->uid ||
		    info.st_mtime < leaver->since)
			continue;
		path = file_path(SHARED "/%s", entry->d_name);
		if (path && !is_mapped(path))
			(void)unlink(path);
		free(path);
	}
	if (files)
		(void)closedir(files);
}

static void remove_place(const char *dir, int lock)
{
	char *home = file_path("%s/home", dir);
	struct leaver leaver = { 0 };
	struct stat info;

	if (home && !lstat(home, &info) && read_note(lock, &leaver)) {
		leaver.uid = (long)info.st_uid;
		remove_segments(&leaver);
		remove_files(&leaver);
	}
	file_remove_tree(dir);
	free(home);
}

/* The lock gets its name once it is locked, or a sweep could come between. */
static int make_lock(struct place *place, struct err *err)
{
	char *unlocked = file_path("%s/unlocked", place->dir);
	char *path = file_path("%s/lock", place->dir);

	if (!unlocked || !path) {
		err_nomem(err);
		goto out;
	}
	place->lock = open(unlocked, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (place->lock < 0 || flock(place->lock, LOCK_EX | LOCK_NB) ||
	    rename(unlocked, path))
		err_set(err, -errno, "cannot lock '%s': %m", path);
	else if (write_note(place->lock, -1, place->since))
		err_set(err, -EIO, "cannot write '%s'", path);
out:
	free(unlocked);
	free(path);
	return err->code;
}

static int make_home(struct place *place, uid_t uid, gid_t gid, struct err *err)
{
	place->home = file_path("%s/home", place->dir);
	if (!place->home)
		return err_nomem(err);
	if (chmod(place->dir, 0755) || mkdir(place->home, 0755) ||
	    (!geteuid() && chown(place->home, uid, gid)))
		return err_set(err, -errno, "cannot make '%s': %m", place->home);
	return 0;
}

int place_make(uid_t uid, gid_t gid, struct place *ret, struct err *err)
{
	struct err local = { 0 };
	struct place place = {
		.dir = strdup(PLACES "/" PREFIX "XXXXXX"),
		.lock = -1,
		.since = time(NULL),
	};

	if (!place.dir)
		return err_nomem(err);
	if (!mkdtemp(place.dir)) {
		err_set(&local, -errno, "cannot make a directory in " PLACES ": %m");
		free(place.dir);
		return err_set(err, local.code, "%s", local.text);
	}
	if (make_lock(&place, &local) || make_home(&place, uid, gid, &local)) {
		place_remove(&place);
		return err_set(err, local.code, "%s", local.text);
	}
	*ret = place;
	return 0;
}

int place_check_room(uint64_t needed, struct err *err)
{
	struct statvfs room;
	uint64_t bytes;

	if (statvfs(PLACES, &room) || !room.f_blocks)
		return 0;
	bytes = (uint64_t)room.f_bavail * room.f_frsize;
	if (bytes >= needed)
		return 0;
	return err_set(err, -ENOSPC, "needs %ju MiB in '" PLACES "', %ju MiB are free",
		       (uintmax_t)(needed >> 20), (uintmax_t)(bytes >> 20));
}

char *place_log(struct place *place, struct err *err)
{
	char *path = file_path("%s/log-%u", place->dir, ++place->nr_logs);

	if (!path) {
		err_nomem(err);
	} else if (mkdir(path, 0755)) {
		err_set(err, -errno, "cannot make '%s': %m", path);
		free(path);
		path = NULL;
	}
	return path;
}

int place_note(const struct place *place, pid_t server, struct err *err)
{
	if (!write_note(place->lock, server, place->since))
		return 0;
	return err_set(err, -EIO, "cannot write '%s/lock'", place->dir);
}

void place_remove(struct place *place)
{
	if (place->dir)
		remove_place(place->dir, place->lock);
	if (place->lock >= 0)
		(void)close(place->lock);
	free(place->dir);
	free(place->home);
	*place = (struct place){ .lock = -1 };
}

/* A directory that has no lock yet is about to be one of another run. */
static void sweep_one(const char *name)
{
	char *dir = file_path(PLACES "/%s", name);
	char *path = file_path(PLACES "/%s/lock", name);
	struct stat info;
	int lock = -1;

	if (dir && path && !lstat(dir, &info) && S_ISDIR(info.st_mode) &&
	    info.st_uid == geteuid())
		lock = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (lock >= 0 && !flock(lock, LOCK_EX | LOCK_NB))
		remove_place(dir, lock);
	if (lock >= 0)
		(void)close(lock);
	free(path);
	free(dir);
}

void place_sweep(void)
{
	DIR *places = opendir(PLACES);
	struct dirent *entry;

	while (places && (entry = readdir(places)))
		if (!strncmp(entry->d_name, PREFIX, strlen(PREFIX)))
			sweep_one(entry->d_name);
	if (places)
		(void)closedir(places);
}

/* The first line that speaks of an error, from that word on; else the last line. */
static const char *find_complaint(char *text)
{
	static const char *const words[] = { "FATAL", "PANIC", "ERROR",
					     "error:", "child process " };
	const char *last = NULL;
	char *rest = NULL;
	char *line;
	size_t i;

	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		last = line;
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			const char *at = strstr(line, words[i]);

			if (at)
				return at;
		}
	}
	return last;
}

static bool read_complaint(const char *log, const char *name, char *text, size_t size)
{
	char *path = file_path("%s/%s", log, name);
	const char *found = NULL;
	char *out = NULL;

	if (path && !file_read(path, LOG_MAX, &out, NULL, NULL))
		found = find_complaint(out);
	if (found)
		(void)snprintf(text, size, "%s", found);
	free(out);
	free(path);
	return found != NULL;
}

/* Where nothing more can be written, the complaint couldn't be either. */
static bool is_full(const char *path)
{
	struct statvfs room;

	return !statvfs(path, &room) && room.f_blocks &&
	       (uint64_t)room.f_bavail * room.f_frsize < ROOM_LEAST;
}

void place_complaint(const char *log, char *text, size_t size)
{
	*text = '\0';
	if (is_full(log)) {
		(void)snprintf(text, size, "no space is left in '%s'", PLACES);
		return;
	}
	if (!read_complaint(log, "stderr", text, size))
		(void)read_complaint(log, "stdout", text, size);
}

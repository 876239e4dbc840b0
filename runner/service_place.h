/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a service lives: a directory below /var/tmp, which is on a disk, whose
 * paths are short enough for sockets, and which other users can reach. It is
 * removed with all that the service left; what a run that was killed left is
 * found by its lock and removed by the next.
 */
#ifndef RUNNER_SERVICE_PLACE_H
#define RUNNER_SERVICE_PLACE_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct err;

/**
 * struct place - the directory of one service
 * @dir: ours, and nobody else's to write to
 * @home: folder in it that belongs to the service's user
 * @lock: descriptor of a file in @dir, locked while anybody needs the directory
 * @since: when it was made
 * @nr_logs: folders for output that were made in it
 */
struct place {
	char *dir, *home;
	int lock;
	time_t since;
	unsigned int nr_logs;
};

/**
 * place_check_room - whether the disk has room for a service
 * @needed: bytes
 * @err: says how much there is
 *
 * Return: 0 or -ENOSPC.
 */
int place_check_room(uint64_t needed, struct err *err);

/**
 * place_make - make the directory
 * @uid: who shall own the home
 * @gid: likewise
 * @ret: to be removed by place_remove(); filled on success only
 * @err: names what could not be made
 *
 * Return: 0 or a negative errno.
 */
int place_make(uid_t uid, gid_t gid, struct place *ret, struct err *err);

/**
 * place_log - make a folder for the output of the next command
 *
 * Return: its path, the caller's to free(); NULL with @err set.
 */
char *place_log(struct place *place, struct err *err);

/**
 * place_note - remember on the disk which process is the server
 *
 * A server that is killed can't give back its System V shared memory; whoever
 * removes the directory before the next boot does it by this.
 *
 * Return: 0 or -EIO.
 */
int place_note(const struct place *place, pid_t server, struct err *err);

/** place_remove - remove the directory and what the server left; none is fine */
void place_remove(struct place *place);

/** place_sweep - remove the directories of our user that no process has locked */
void place_sweep(void);

/**
 * place_complaint - what a command had to complain of
 * @log: from place_log(), with its output
 * @text: receives the line of the error, or the last one, or nothing
 * @size: bytes at @text
 */
void place_complaint(const char *log, char *text, size_t size);

#endif

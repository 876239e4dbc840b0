/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel image of a grid's column: where it is and which kernel it says it
 * holds, so that what a guest boots can be held against it.
 */
#ifndef RUNNER_GUEST_IMAGE_H
#define RUNNER_GUEST_IMAGE_H

struct err;

/**
 * struct guest_image - a kernel to boot
 * @path: of the bzImage, absolute
 * @release: as uname -r of the kernel in it
 * @version: likewise uname -v
 * @sha256: of the file
 * @config: where its configuration lies: beside it as config-RELEASE or config, or the
 *          .config of a build directory; NULL: it isn't known
 */
struct guest_image {
	char *path, *release, *version, *sha256, *config;
};

/**
 * guest_image_open - find and identify an image
 * @name: a bzImage; a directory that has one, as a kernel's build directory or an
 *        unpacked package does; or a Debian package, which is unpacked into
 *        $XDG_CACHE_HOME/schedgrid, or ~/.cache/schedgrid
 * @folder: where a relative name begins
 * @ret: to be released by guest_image_release(); written on success only
 * @err: says what was expected
 *
 * Return: 0, -ENOENT, -EINVAL for what is no kernel, or another negative errno.
 */
int guest_image_open(const char *name, const char *folder, struct guest_image *ret,
		     struct err *err);

/** guest_image_release - free the strings */
void guest_image_release(struct guest_image *image);

#endif

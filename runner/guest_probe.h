/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether QEMU can execute code by KVM here. /dev/kvm may be there and open, and the
 * processor or the hypervisor below still not do it, which ends QEMU with an abort.
 */
#ifndef RUNNER_GUEST_PROBE_H
#define RUNNER_GUEST_PROBE_H

struct err;

/**
 * guest_probe_kvm - let QEMU execute a few instructions by KVM
 * @qemu: path of the emulator
 * @err: why not, in QEMU's words where it has some
 *
 * Return: 0; -EOPNOTSUPP when KVM doesn't work; -EINTR when a signal came meanwhile; or
 * another negative errno when the probe could not be made.
 */
int guest_probe_kvm(const char *qemu, struct err *err);

#endif

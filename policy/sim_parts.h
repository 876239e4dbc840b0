/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the simulator call of each other, a section for each file. A change of
 * a CPU always begins with sim_touch(), which brings everything about it up to date.
 */
#ifndef POLICY_SIM_PARTS_H
#define POLICY_SIM_PARTS_H

#include "policy/sim_state.h"

/* sim.c */

/** sim_fail - note the first failure and its sentence */
void sim_fail(struct sim *sim, int bad, const char *what, int number);

/** sim_post - let something happen at @time_ns */
void sim_post(struct sim *sim, uint64_t time_ns, enum sim_kind kind, int who,
	      uint64_t stamp);

/** sim_task_new - a task of @program; its number, or -1 without memory */
int sim_task_new(struct sim *sim, const struct program *program, int parent, int base);

/** sim_stage - @task goes over to @stage; its times are counted */
void sim_stage(struct sim *sim, struct sim_task *task, enum task_stage stage);

/* sim_load.c */

/** signals_new_task - what a new task starts with, placed on @cpu */
void signals_new_task(struct sim *sim, struct sim_task *task, int cpu);

/** signals_touch - load tracking of @cpu and its running task up to now */
void signals_touch(struct sim *sim, int cpu);

/** signals_touch_task - of a task that waits on the runqueue (or runs) up to now */
void signals_touch_task(struct sim *sim, struct sim_task *task);

/** signals_sync - of a sleeping task, up to where its CPU's are */
void signals_sync(struct sim *sim, struct sim_task *task);

/** signals_sleep - the task isn't runnable any more; its part stays with @cpu */
void signals_sleep(struct sim *sim, int cpu, struct sim_task *task);

/** signals_leave - the task's part is to be taken off its CPU, now or later */
void signals_leave(struct sim *sim, struct sim_task *task);

/**
 * signals_join - the task is runnable on @cpu
 * @is_there: its part is with @cpu already
 */
void signals_join(struct sim *sim, int cpu, struct sim_task *task, bool is_there);

/** signals_publish - what placement sees of @cpu */
void signals_publish(struct sim *sim, int cpu);

/* sim_queue.c */

/** sim_progress - the running task of @cpu did its work up to now */
void sim_progress(struct sim *sim, int cpu);

/** sim_touch - the same, and load tracking */
void sim_touch(struct sim *sim, int cpu);

/** sim_enqueue - put a task on @cpu for @event; asks for a pick where that preempts */
void sim_enqueue(struct sim *sim, int number, int cpu, enum sim_event event);

/** sim_dequeue - take a runnable task off its CPU; @stage: what becomes of it */
void sim_dequeue(struct sim *sim, int number, enum task_stage stage);

/** sim_ask - @cpu is to pick anew after this event */
void sim_ask(struct sim *sim, int cpu);

/** sim_pick_all - do so on all CPUs that were asked */
void sim_pick_all(struct sim *sim);

/** sim_tick_fair - whether the turn of the running task is over */
bool sim_tick_fair(struct sim *sim, int cpu);

/* sim_speed.c */

/** sim_distance - between two CPUs */
enum cost_distance sim_distance(const struct machine *machine, int a, int b);

/** sim_arm - a CPU's running task goes on: its rate, and the event of its end */
void sim_arm(struct sim *sim, int cpu);

/** sim_siblings_changed - @cpu became busy or idle: the rates of its siblings change */
void sim_siblings_changed(struct sim *sim, int cpu);

/** sim_streams - whether the running task of @cpu moves memory: rates of others change */
void sim_streams(struct sim *sim, int cpu, bool streams);

/* sim_place.c */

/** sim_fork - task @parent creates one of @program */
void sim_fork(struct sim *sim, int parent, const struct program *program, int base);

/** sim_exec - the running task is placed anew */
void sim_exec(struct sim *sim, int number);

/** sim_wake - wake @number; @waker: a running task, or -1 for a timer */
void sim_wake(struct sim *sim, int number, int waker, bool is_sync);

/** sim_arrive - a task that was woken from another LLC comes in on @cpu */
void sim_arrive(struct sim *sim, int number, int cpu);

/** sim_idle_begin - @cpu has nothing to run */
void sim_idle_begin(struct sim *sim, int cpu);

/** sim_idle_end - it has again */
void sim_idle_end(struct sim *sim, int cpu);

/** sim_observe - count a placement and tell the observer */
void sim_observe(struct sim *sim, enum sim_event event, int number, int from, int to,
		 int by);

/* sim_step.c */

/** sim_step_begin - the running task of @cpu begins or goes on with its step */
void sim_step_begin(struct sim *sim, int cpu);

/** sim_step_end - what was armed is done: the effect of the step, and the next one */
void sim_step_end(struct sim *sim, int cpu);

/* sim_balance.c */

/** sim_tick - the tick of @cpu */
void sim_tick(struct sim *sim, int cpu);

/** sim_newidle - @cpu is about to be idle: pull something */
void sim_newidle(struct sim *sim, int cpu);

/** sim_balance_init - intervals of all CPUs */
void sim_balance_init(struct sim *sim);

/* sim_check.c */

/** sim_check_graph - whether all numbers of a graph are within it */
int sim_check_graph(const struct program_graph *graph, struct err *err);

/** sim_check_end - what must be true after a run, once its result is summed up */
int sim_check_end(const struct sim *sim, struct err *err);

#endif

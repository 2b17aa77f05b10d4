/** Phases of tasks that put marks into a folder: see marker-task.mjs. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { processesEngine } from '../../jobs/engines/processes.js';
import { slurmEngine } from '../../jobs/engines/slurm.js';
import type { EngineEvent, StepPhase } from '../../jobs/engines/step-engine.js';

export const PROGRAM = [process.execPath, resolve('test/support/marker-task.mjs')];

type Behaviour = 'fail' | 'fail-once' | 'kill' | 'hang' | 'hang-once';

/** A phase whose tasks do their work but for those named. */
export function markedPhase(
  folder: string,
  name: string,
  tasks: readonly number[],
  behaviour: Readonly<Record<number, Behaviour>> = {},
): StepPhase {
  const uri = join(folder, name);
  mkdirSync(uri, { recursive: true });
  writeFileSync(join(uri, 'behaviour.json'), JSON.stringify(behaviour));
  return {
    uri,
    title: `${basename(folder)}: ${name}`,
    tasks,
    memory: 2 ** 20,
    workers: 1,
    missing: async () => tasks.filter((task) => !existsSync(join(uri, `done-${task}`))),
  };
}

/** What a task says that it was given, when it is done. */
export function mark(phase: StepPhase, task: number): { others: string[]; set?: string; arenas?: string } {
  return JSON.parse(readFileSync(join(phase.uri, `done-${task}`), 'utf8'));
}

export interface Line {
  readonly what: 'begins' | 'ends';
  readonly phase: string;
  readonly task: number;
  readonly host: string;
}

/** What happened in a folder of phases, in order. */
export function journal(folder: string): Line[] {
  const path = join(folder, 'journal');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line));
}

/** Keeps what an engine reports: "started 1 3", "ended 1 3 problem". */
export function listener(): { events: string[]; report(event: EngineEvent): void } {
  const events: string[] = [];
  return {
    events,
    report(event) {
      const problem = event.type === 'ended' && event.problem !== null ? ` ${event.problem}` : '';
      events.push(`${event.type} ${basename(event.phase.uri)} ${event.task}${problem}`);
    },
  };
}

/** Processes on this host, in whatever namespace, that have `text` among their arguments. */
export function processesWith(text: string): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const found = numbers.filter((number) => {
    try {
      return readFileSync(`/proc/${number}/cmdline`, 'utf8').includes(text);
    } catch {
      return false; // it has ended meanwhile
    }
  });
  return found.map(Number);
}

/** The folder of the cluster that test/servers/slurm-up.sh made, if one is up. */
export const CLUSTER = process.env.MERGEMATE_TEST_SLURM;

const common = { program: PROGRAM, stepArgs: ['--scratch', 'a b'], env: { MARKER: 'it\'s "$HOME"' } };

/** Engines that run the marking program, by name. */
export const engines = {
  processes: (logFolder: string | null = null) => processesEngine({ ...common, concurrency: 2, logFolder }),
  slurm: (logFolder: string | null = null) => slurmEngine({ ...common, logFolder }),
};

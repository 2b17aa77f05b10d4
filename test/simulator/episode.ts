/**
 * An episode: the processes of a scene, with faults that follow from a seed. Processes that are lost are started again. All
 * must end with the results of a run without faults. If an object was damaged, they may end in a refusal that names an object.
 * Then scrubbing finds the damage and repairs all it can, and the same tasks end as they should.
 */
import { createHash } from 'node:crypto';
import { StorageError, UserError } from '../../operators/core/errors.js';
import { consequencesOf } from '../../pipeline/share/scrub/consequences.js';
import { repair } from '../../pipeline/share/scrub/repair.js';
import { scrub } from '../../pipeline/share/scrub/scrub.js';
import { MissingTableError } from '../../pipeline/tables/table.js';
import { randomFrom } from '../support/graph-game.js';
import { Hang, newClock } from './clock.js';
import { newDisk } from './disk.js';
import { DAMAGING, type FaultKind, type FaultTally, newFaults } from './faults.js';
import { inflatingHere } from './inflating.js';
import { LATE_MS, type Machine, newProcess, type Process } from './process.js';
import type { ProcessTask, Scene } from './scene.js';

export interface Episode {
  readonly operations: number;
  readonly tally: FaultTally;
  /** The digest of all operations and faults, in their order. */
  readonly digest: string;
  /** All tasks ended in spite of the faults, without repair. */
  readonly refused: boolean;
}

/** A fault of mergemate; `trace` holds the last operations. */
export class SimulatedViolation extends Error {
  constructor(what: string, trace: readonly string[]) {
    super(`${what}\n${trace.join('\n')}`);
  }
}

/** Events after which an episode hangs: the longest of sound ones had a tenth. */
const MOST_EVENTS = 200_000;
/** Refusals of a task after which it is given up. */
const REFUSALS = 3;
const TRACED = Number(process.env.MERGEMATE_TEST_TRACE ?? 60);
const PASSING = ['ENOSPC', 'EMFILE'];

type Ended = { readonly value: string } | { readonly error: unknown };
/** A task that others wait for was given up: somebody ended them as well. */
const STOPPED: Ended = { error: new Error('ended because another task was given up') };
/** Milliseconds until somebody does. */
const PATIENCE = 30 * 60_000;

/** @param expected results of the tasks, in their order; null where nothing is known yet. */
export function runEpisode(
  scene: Scene,
  seed: number,
  kinds: readonly FaultKind[],
  expected: readonly string[] | null,
): Promise<Episode & { readonly results: readonly string[] }> {
  return inflatingHere(() => play(scene, seed, kinds, expected));
}

async function play(
  ...[scene, seed, kinds, expected]: Parameters<typeof runEpisode>
): Promise<Episode & { readonly results: readonly string[] }> {
  const stage = newStage(scene, seed, kinds);
  const { machine, fail } = stage;
  try {
    const ended = await machine.clock.runUntil(playOut(stage, scene.tasks(machine.clock)));
    machine.faults.stop();
    machine.fullUntil = 0;
    const refused = ended.some((each) => 'error' in each);
    const isDamaged = DAMAGING.some((kind) => machine.faults.tally[kind] > 0);
    requireRight(stage);
    const results = isDamaged
      ? await machine.clock.runUntil(mend(stage))
      : ended.map((each) => ('value' in each ? each.value : ''));
    const wrong = results.findIndex((result, i) => expected !== null && result !== expected[i]);
    if (wrong >= 0) fail(`task ${wrong} ends with ${results[wrong]}, not with ${expected![wrong]}`);
    const { store } = newProcess(machine, 'reader');
    await machine.clock.runUntil(scene.check(store));
    requireRight(stage);
    for (const name of scene.files?.keys() ?? [])
      if (!machine.disk.objects.has(name)) fail(`${name} is not there`);
    return { ...stage.summary(), refused, results };
  } catch (error) {
    if (error instanceof SimulatedViolation) throw error;
    const what =
      error instanceof Error ? (error instanceof Hang ? error.message : error.stack) : String(error);
    return fail(`${what}`);
  }
}

interface Stage {
  readonly scene: Scene;
  readonly machine: Machine;
  /** Throws a Violation. */
  fail(what: string): never;
  summary(): Pick<Episode, 'operations' | 'tally' | 'digest'>;
}

function newStage(scene: Scene, seed: number, kinds: readonly FaultKind[]): Stage {
  const dice = randomFrom(seed);
  const clock = newClock(MOST_EVENTS);
  const disk = newDisk('simulated:', clock);
  for (const [name, bytes] of scene.objects) disk.publish(name, bytes);
  const faults = newFaults(dice, kinds, scene.often ?? 1);
  const hash = createHash('sha256');
  const trace: string[] = [];
  let operations = 0;
  const machine: Machine = {
    clock,
    dice,
    faults,
    disk,
    fullUntil: 0,
    isBare: (name: string) => scene.isBare?.(name) ?? false,
    note(process, what, name, result) {
      operations++;
      const line = `${clock.now()} ${process}: ${what} ${name}: ${result}`;
      hash.update(line);
      trace.push(line);
      if (trace.length > 2 * TRACED) trace.splice(0, TRACED);
    },
  };
  const fail = (what: string): never => {
    throw new SimulatedViolation(`${scene.name}, seed ${seed}: ${what}`, trace.slice(-TRACED));
  };
  const isSound = () => DAMAGING.every((kind) => faults.tally[kind] === 0);
  watchSteps(machine, isSound, (what) => {
    machine.note('disk', 'watch', what, 'violated');
    stage.broken ??= what;
  });
  const stage = {
    scene,
    machine,
    fail,
    broken: null as string | null,
    summary() {
      if (stage.broken !== null) fail(stage.broken);
      return { operations, tally: faults.tally, digest: hash.digest('hex') };
    },
  };
  return stage;
}

const STEP = /^(.+)\/steps\/[^/]+\/(enumerate|convert|edges|rounds-\d+)\.json$/;

/** A step that was committed is not done again, nor is a table, unless something was damaged. */
function watchSteps({ disk }: Machine, isSound: () => boolean, violated: (what: string) => void): void {
  disk.watch((name) => {
    if (!isSound() || (disk.published.get(name) ?? 0) === 0) return;
    const step = STEP.exec(name);
    const isOver = step !== null && disk.published.has(`${step[1]}/table.json`);
    if ((step !== null && !isOver) || name.endsWith('/table.json')) violated(`${name} was done twice`);
  });
}

/** Runs all tasks to their ends, with the processes beside them that were taken for dead. */
async function playOut(stage: Stage, tasks: readonly ProcessTask[]): Promise<Ended[]> {
  const { clock } = stage.machine;
  let stop = (): void => {};
  const play: Play = {
    beside: [],
    stopped: new Promise((resolve) => {
      stop = () => clock.in(PATIENCE, () => resolve(STOPPED));
    }),
  };
  const ended = await Promise.all(
    tasks.map(async (task) => {
      const end = await playTask(stage, task, play);
      if ('error' in end) stop();
      return end;
    }),
  );
  await Promise.race([Promise.all(play.beside), play.stopped]);
  // Last operations of dead processes take effect before the end.
  await new Promise<void>((resolve) => clock.in(LATE_MS, resolve));
  return ended;
}

interface Play {
  /** Processes that were taken for dead and go on beside the tasks. */
  readonly beside: Promise<void>[];
  readonly stopped: Promise<Ended>;
}

async function playTask(stage: Stage, task: ProcessTask, { beside, stopped }: Play): Promise<Ended> {
  const { machine } = stage;
  for (let life = 0, refusals = 0; ; life++) {
    const process = newProcess(machine, `${task.name}#${life}`);
    const running = settled(task.run(process, `-${task.name.replaceAll(' ', '-')}-${life}`));
    const ended = await Promise.race([running, process.lost.then(() => null), stopped]);
    if (ended === null) {
      const late = Promise.race([running.then((end) => judge(stage, end)), process.dead]);
      // An error of it is thrown when all tasks have ended.
      late.catch(() => {});
      beside.push(late);
      await pause(machine);
      continue;
    }
    process.kill();
    if ('value' in ended || ended === STOPPED) return ended;
    judge(stage, ended);
    if (!isPassing(ended.error) && ++refusals === REFUSALS) return ended;
    await pause(machine);
  }
}

const settled = (result: Promise<string>): Promise<Ended> =>
  result.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** A process is not started again at once. */
const pause = ({ clock, dice }: Machine) =>
  new Promise<void>((resolve) => clock.in(100 + dice(10_000), resolve));

function isPassing(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  if (!(error instanceof StorageError)) return false;
  return (
    (code !== undefined && PASSING.includes(code)) || error.message.includes("the server's listing is wrong")
  );
}

/** Checks a process's end: success, trouble of the machine, or a refusal that names a damaged object. */
function judge({ scene, machine, fail }: Stage, ended: Ended): void {
  if ('value' in ended || isPassing(ended.error)) return;
  const { error } = ended;
  const isDamaged = DAMAGING.some((kind) => machine.faults.tally[kind] > 0);
  const named = nameIn(error, scene, machine.disk.uri);
  machine.note('judge', 'refusal', named ?? '', String(error));
  if (named === null) fail(`an error that names no object: ${error instanceof Error ? error.stack : error}`);
  if (!isDamaged) fail(`nothing was damaged, and yet: ${(error as Error).stack}`);
  if (!machine.disk.published.has(named!))
    fail(`a refusal that names what never was: ${(error as Error).message}`);
}

/** The files of the scene that are there are right, apart from faults of the disk. */
function requireRight({ scene, machine, fail }: Stage): void {
  for (const [name, right] of scene.files ?? []) {
    const found = machine.disk.objects.get(name);
    const isWrong = found !== undefined && !Buffer.from(right).equals(found.bytes);
    if (isWrong && !machine.disk.damaged.has(name)) fail(`${name} was made wrong`);
  }
}

/** The object that a refusal names: one that is damaged or gone. A table that is not there is named by its slice. */
function nameIn(error: unknown, { games }: Scene, uri: string): string | null {
  if (error instanceof StorageError) return error.object.replace(`${uri}/`, '');
  if (!(error instanceof UserError)) return null;
  // A file of a set that is no whole file.
  const [, file] = /^--out \S+: (\S+) is there and /.exec(error.message) ?? [];
  if (file !== undefined) return file;
  const [, metric] = / for (\w+) in /.exec(error.message) ?? [];
  const [game] = games.keys();
  return error instanceof MissingTableError ? `${game}/${metric}/${error.slice}/table.json` : null;
}

/** Scrubs, repairs, and does all tasks again, one after the other, without faults. */
async function mend(stage: Stage): Promise<string[]> {
  const { scene, machine, fail } = stage;
  const process = newProcess(machine, 'mender');
  const before = await scrubbed(stage, process);
  if (scene.solveAgain !== undefined && before.length > 0)
    await repair(process.store, before, {
      solveAgain: async ({ slice }) => {
        const [one, other] = await scene.solveAgain!(process, slice);
        return [one, other];
      },
    });
  await scene.clearAway?.(
    process.store,
    before.map(({ name }) => name),
  );
  const results = await playOut(stage, scene.tasks(machine.clock));
  const after = await scrubbed(stage, process);
  if (after.length > 0)
    fail(`after repair: ${after.map(({ name, problem }) => `${name}: ${problem}`).join()}`);
  return results.map((each) => {
    if ('value' in each) return each.value;
    return fail(`after repair: ${(each.error as Error).stack}`);
  });
}

async function scrubbed({ scene, machine }: Stage, { store }: Process) {
  const { damaged } = await scrub({ store, games: scene.games, report: async () => {} });
  return consequencesOf(damaged, machine.disk.list(''), scene.games);
}

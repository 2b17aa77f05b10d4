/** How far a slice has come that is solved by partitions. */
import type { History } from '../records/shapes.js';
import { AttemptNote, retriesAmong, stepNotes } from './attempts.js';
import { historyOf, roundsOfPartition, spanMs } from './history.js';
import { FinishTask, PartitionTask, type Ran, VerifyTask } from './manifests.js';
import { type Phase, phaseName } from './names.js';
import { type PhaseSurvey, surveyPhase } from './phase-survey.js';
import { StepPlan } from './plan.js';
import { completeRounds, type Done, doneAmong, isNothingLeft } from './schedule.js';
import { type ManifestReader, objectOf, type SliceObjects } from './slices.js';

export interface StepsSurvey {
  /** Tasks of every phase. */
  readonly partitions: number;
  readonly phase: Phase;
  readonly tasks: PhaseSurvey;
  /** In all phases whose notes are there. */
  readonly attempts: {
    readonly failed: number;
    /** Attempts beyond the first at a task. */
    readonly retries: number;
  };
  /** Why an attempt failed last. */
  readonly problem: Problem | null;
  /** Positions won or lost so far; when all are, null. */
  readonly labelled: number | null;
  /** Indices of both sides, those without a legal position included. */
  readonly indices: number;
  readonly requests: number;
  /** Over the last rounds, or in the verification; without the time between phases. Null if none is complete. */
  readonly requestsPerSecond: number | null;
  /** How long ago a task was begun, done, or failed, in ms. */
  readonly quietMs: number | null;
  /** What the complete rounds brought and took; null if none is complete, and when the slice is solved. */
  readonly history: History | null;
  /** Greatest resident set of the tasks in it, and of those of this phase; null if none is done. */
  readonly peakRss: number | null;
}

export interface Problem {
  readonly phase: string;
  readonly task: number;
  readonly host: string;
  readonly agoMs: number;
  readonly what: string;
}

/** Complete rounds that the speed is taken over. */
const SPEED_ROUNDS = 3;
const FOLDER = 'steps/count/';

/** Null if the slice has no plan, or one to solve it whole. `solved`: only the verification is left. */
export async function surveySteps(
  reader: ManifestReader,
  objects: SliceObjects,
  solved: boolean,
  now: number,
): Promise<StepsSurvey | null> {
  const names = objects.names.flatMap((name) => (name.startsWith(FOLDER) ? [name.slice(FOLDER.length)] : []));
  if (!names.includes('plan.json')) return null;
  const full = (name: string) => objectOf(objects, FOLDER + name);
  const [plan] = await reader.read([full('plan.json')], StepPlan);
  // One partition is solved whole, by a crew; but verified by steps.
  if (plan === undefined || (plan.partitions.length === 1 && !solved)) return null;
  const partitions = plan.partitions.length;
  const done = doneAmong(names);

  const tasksOf = <T>(phase: Phase, shape: Parameters<typeof reader.read<T>>[1]) =>
    reader.read(
      names
        .filter((name) => name.startsWith(`${phaseName(phase)}/task-`) && done.has(phaseName(phase)))
        .map(full),
      shape,
    );
  const rounds: PartitionTask[][] = [];
  if (!solved) {
    for (const phase of labelling(done)) rounds.push(await tasksOf(phase, PartitionTask));
  }
  const phase = phaseNow(done, rounds, partitions, solved);
  const ending = phase.type === 'finish' ? await tasksOf(phase, FinishTask) : [];
  const verified = phase.type === 'verify' ? await tasksOf(phase, VerifyTask) : [];

  const here = `${phaseName(phase)}/`;
  const ply = phase.type === 'round' ? phase.ply : 0;
  const tasks: readonly { from: number; ran: Ran }[] =
    phase.type === 'finish' ? ending : phase.type === 'verify' ? verified : (rounds[ply] ?? []);
  const numbers = new Map(plan.partitions.map(({ from }, task) => [from, task]));
  const ran = new Map(tasks.map((task) => [numbers.get(task.from)!, task.ran]));
  const notes = stepNotes(names);
  const wanted = notes.filter(
    ({ what, name, task }) => what === 'failed' || (name.startsWith(here) && !ran.has(task)),
  );
  const read = await Promise.all(
    wanted.map(async ({ name }) => {
      const [note] = await reader.read([full(name)], AttemptNote);
      return note === undefined ? [] : [{ name, note }];
    }),
  );
  const told = read.flat();
  const mine = told.filter(({ name }) => name.startsWith(here)).map(({ note }) => note);
  const latest = rounds.at(-1) ?? [];
  const signs = [...told.map(({ note }) => note.at), ...[...tasks, ...latest].map(endOf)];
  return {
    partitions,
    phase,
    tasks: surveyPhase(partitions, ran, mine, now),
    attempts: {
      failed: notes.filter(({ what }) => what === 'failed').length,
      retries: retriesAmong(notes),
    },
    problem: lastProblem(told, now),
    labelled: solved ? null : sum(rounds.flat(), ({ won, lost }) => won[0] + won[1] + lost[0] + lost[1]),
    indices: 2 * objects.game.slice(objects.slice).size,
    requests:
      phase.type === 'verify' ? sum(verified, ({ requests }) => requests) : handled(rounds, partitions),
    requestsPerSecond: phase.type === 'verify' ? verifySpeed(verified) : roundSpeed(rounds, partitions),
    quietMs: signs.length === 0 ? null : Math.max(0, now - Math.max(...signs)),
    history: historyAmong(rounds, partitions),
    peakRss: [...rounds.flat(), ...tasks].reduce<number | null>(
      (most, { ran }) => Math.max(most ?? 0, ran.peakRss),
      null,
    ),
  };
}

function historyAmong(rounds: readonly PartitionTask[][], partitions: number): History | null {
  const complete = rounds.filter((tasks) => tasks.length === partitions);
  const last = complete.at(-1);
  if (last === undefined) return null;
  return historyOf(
    last.map((_, task) => roundsOfPartition(complete.map((tasks) => tasks[task]!))),
    last.map(({ counters }) => counters),
  );
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

const endOf = ({ ran }: { readonly ran: Ran }): number => ran.started + ran.wallMs;

/** `start` and the rounds of which a task is done; the round's ply is its place. */
function labelling(done: Done): Phase[] {
  const phases: Phase[] = [];
  for (let ply = 0; ; ply++) {
    const phase: Phase = ply === 0 ? { type: 'start' } : { type: 'round', ply };
    if (!done.has(phaseName(phase))) return phases;
    phases.push(phase);
  }
}

function phaseNow(
  done: Done,
  rounds: readonly PartitionTask[][],
  partitions: number,
  solved: boolean,
): Phase {
  if (solved) return { type: 'verify' };
  if ((done.get('start')?.size ?? 0) < partitions) return { type: 'start' };
  const complete = completeRounds(done, partitions);
  if (complete > 0 && isNothingLeft(rounds[complete]!, complete)) return { type: 'finish' };
  return { type: 'round', ply: complete + 1 };
}

/** Requests that were worked off in the rounds: those that the phases before made. */
function handled(rounds: readonly PartitionTask[][], partitions: number): number {
  const before = rounds.slice(0, Math.max(0, completeAmong(rounds, partitions) - 1));
  return sum(before.flat(), ({ requests }) => requests?.rows ?? 0);
}

const completeAmong = (rounds: readonly PartitionTask[][], partitions: number): number =>
  rounds.filter((tasks) => tasks.length === partitions).length;

function roundSpeed(rounds: readonly PartitionTask[][], partitions: number): number | null {
  let requests = 0;
  let ms = 0;
  const complete = completeAmong(rounds, partitions);
  for (let ply = Math.max(1, complete - SPEED_ROUNDS); ply < complete; ply++) {
    requests += sum(rounds[ply - 1]!, (task) => task.requests?.rows ?? 0);
    ms += spanMs(rounds[ply]!.map(({ ran }) => ran));
  }
  return ms === 0 ? null : (1000 * requests) / ms;
}

function verifySpeed(tasks: readonly VerifyTask[]): number | null {
  const ms = spanMs(tasks.map(({ ran }) => ran));
  return ms === 0 ? null : (1000 * sum(tasks, ({ requests }) => requests)) / ms;
}

function lastProblem(told: readonly { name: string; note: AttemptNote }[], now: number): Problem | null {
  const failed = told.filter(({ note }) => note.what === 'failed').sort((a, b) => a.note.at - b.note.at);
  const last = failed.at(-1);
  if (last === undefined) return null;
  const { task, host, at, problem } = last.note;
  return {
    phase: last.name.split('/')[0]!,
    task,
    host,
    agoMs: Math.max(0, now - at),
    what: problem ?? 'it left no word',
  };
}

/** The history of a slice by the manifests of its steps: rounds, and of ranks the times. */
import type { ProcessRecord } from '../../game/manifest.js';
import { plyOf, type StepName } from '../../game/slice-objects.js';
import type { PhaseRecord, RoundRecord } from './record-shapes.js';
import { behindCommit, type DonePart, type DoneStep, type JoinedSteps } from './joined-steps.js';

const endOf = ({ ran }: DonePart): number => ran.started + ran.wallMs;

/** When the last of some parts ended, ms since 1970; null if there are none. */
export function lastEnd(parts: readonly DonePart[]): number | null {
  return parts.reduce<number | null>((last, part) => Math.max(last ?? 0, endOf(part)), null);
}

const firstStart = (parts: readonly DonePart[]): number => Math.min(...parts.map(({ ran }) => ran.started));

/** All rounds that are done, ascending. One partition that does rounds for all leaves no word of their times. */
export function roundsOf(steps: JoinedSteps): RoundRecord[] {
  const done = [
    ...steps.epochs.flatMap(({ rounds }) => rounds),
    ...behindCommit(steps).flatMap(({ round }) => {
      if (round === null) return [];
      const { ply, won, lost, requests } = round;
      return [{ ply, won: won[0] + won[1], lost: lost[0] + lost[1], requests }];
    }),
  ];
  const parts = partsByPly(steps);
  return done.map((round) => ({ ...round, wallMs: wallOf(parts, round.ply) }));
}

/** Of the steps in which rows pass. */
function partsByPly({ parts }: JoinedSteps): Map<number, DonePart[]> {
  const found = new Map<number, DonePart[]>();
  for (const { step, parts: done } of parts) {
    const { name, ply } = step;
    if (ply !== undefined && name !== 'commit') found.set(ply, [...(found.get(ply) ?? []), ...done]);
  }
  return found;
}

/** A round takes from the end of the round before to its own. */
function wallOf(parts: ReadonlyMap<number, readonly DonePart[]>, ply: number): number | null {
  const own = parts.get(ply) ?? [];
  const end = lastEnd(own);
  if (end === null) return null;
  return Math.max(0, end - (lastEnd(parts.get(ply - 1) ?? []) ?? firstStart(own)));
}

/**
 * The phases in which ranks had a part, as far as they are over; none of a slice that one process solves. Between two phases
 * stands a barrier: one begins when the one before ends. @param roundsEnd when the rounds were over, if that is known.
 */
export function phasesOf(steps: JoinedSteps, roundsEnd: number | null): PhaseRecord[] {
  const partsOf = (of: (step: DoneStep['step']) => boolean) =>
    steps.parts.flatMap(({ step, parts }) => (of(step) ? parts : []));
  const partsOfSteps = (...names: StepName[]) => partsOf(({ name }) => names.includes(name));
  const phases: { phase: string; parts: DonePart[]; end?: number | null }[] = [
    { phase: 'enumerate', parts: partsOfSteps('enumerate') },
    { phase: 'convert', parts: partsOfSteps('convert') },
    { phase: 'edges', parts: partsOfSteps('moves', 'edges') },
    { phase: 'rounds', parts: partsOf((step) => plyOf(step) !== undefined), end: roundsEnd },
    { phase: 'finish', parts: partsOfSteps('finish') },
    { phase: 'verify', parts: partsOfSteps('verify') },
  ];
  const records: PhaseRecord[] = [];
  for (const { phase, parts, end } of phases) {
    const last = lastEnd(parts);
    if (last === null) continue;
    const before = records.at(-1);
    const startedAt = before === undefined ? firstStart(parts) : before.startedAt + before.wallMs;
    records.push({ phase, startedAt, wallMs: Math.max(0, Math.max(last, end ?? 0) - startedAt) });
  }
  return records;
}

/** Greatest resident set of the processes that had a part, bytes; null if none is known. */
export function peakOf({ parts }: JoinedSteps): number | null {
  return parts
    .flatMap((step) => step.parts)
    .reduce<number | null>((most, { ran }) => Math.max(most ?? 0, ran.peakRss), null);
}

/** The process that did the last part of each partition, and when, by partition. */
export function lastProcesses({ parts }: JoinedSteps): Map<number, ProcessRecord> {
  const last = new Map<number, ProcessRecord>();
  for (const part of parts.flatMap((step) => step.parts).sort((a, b) => endOf(a) - endOf(b)))
    last.set(part.partition, part.ran);
  return last;
}

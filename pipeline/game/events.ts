/**
 * Events: "at ply n the positions ... with `side` to move are labelled as won (or lost)". Frontier runs and conversion
 * runs are ordered by event, part and key; their majors are those of events (pipeline/game/majors.ts).
 */
import type { Side } from './side.js';

export const Kind = { win: 0, loss: 1 } as const;
export type Kind = 0 | 1;

/** Kind and side in one number 0..3: the order in which a round takes them (all wins before all losses). */
export function flow(kind: Kind, side: Side): number {
  return kind * 2 + side;
}

export const WIN_FLOWS = [flow(Kind.win, 0), flow(Kind.win, 1)] as const;
export const LOSS_FLOWS = [flow(Kind.loss, 0), flow(Kind.loss, 1)] as const;
export const FLOWS = [...WIN_FLOWS, ...LOSS_FLOWS] as const;

export function kindOf(flowNumber: number): Kind {
  return (flowNumber >> 1) as Kind;
}

export function sideOf(flowNumber: number): Side {
  return (flowNumber & 1) as Side;
}

/** The number of the event (ply, flow). */
export function eventNumber(ply: number, flowNumber: number): number {
  return ply * 4 + flowNumber;
}

/** The ply of an event. */
export function plyOf(event: number): number {
  return event >> 2;
}

export function opponent(side: Side): Side {
  return (1 - side) as Side;
}

/**
 * The flow that the unmoves of a flow label: predecessors of won positions might be lost, those of lost ones are won. It is
 * also the flow whose unmoves a flow gets.
 */
export function unmoveFlow(flowNumber: number): number {
  return flow(kindOf(flowNumber) === Kind.win ? Kind.loss : Kind.win, opponent(sideOf(flowNumber)));
}

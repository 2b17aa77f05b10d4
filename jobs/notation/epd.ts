/**
 * Positions of chess as a line of text: FEN, with underscores for spaces if need be, or EPD, whose operations may follow either
 * ("hmvc 54; fmvn 106; id \"x\";"). Behind a FEN there may also be the moves of UCI, a remark behind ";" or "#", or the stipulation of a
 * problem ("h#3"), which comes back as the operation `stip`.
 */
import { readStipulation } from '../ui/problem-notation.js';

interface PositionText {
  /** All six fields, of EPD with the clock and the number that the operations `hmvc` and `fmvn` give. */
  readonly fen: string;
  /** Operations by opcode, the first of each; operands without their quotes. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  /** True of a FEN, with neither operations nor a remark. */
  readonly isPlain: boolean;
}

/** A line that looks like eight ranks, or nearly so: what is wrong with them is for the reader of FENs to say. */
const PLACEMENT = /^[0-9A-Za-z]+(?:\/[0-9A-Za-z]+){5,}(?:[ \t_]|$)/;
const OPERATION = /^([A-Za-z]\w{0,14})(?:\s+(.*))?$/;
/** Opcodes that are known by themselves, without a semicolon behind their operands. */
const OPCODE =
  /^(?:ac[dns]|[abps]m|c\d|ce|dm|draw_\w+|eco|fmvn|hmvc|id|nic|noop|pv|rc|resign|stip(?:ulation)?|tc\w+|v\d)$/;
const COUNTER = /^\d+;?$/;
/**
 * Fields of a position, and behind them a stipulation with all that is said of it, "h#3", "s=2", "h#7 0.1...", "h#2 2 sol."; behind
 * a semicolon operations may follow.
 */
const WITH_STIPULATION =
  /^(\S+(?:\s+(?:[wb-]|[KQkq]{1,4}|[A-H]{1,2}[a-h]{0,2}|[a-h]\d|\d+)){0,5}?)\s+([A-Za-z-]{0,8}[#=‡+]+\s?\d[^;]*?)\s*(?:;(.*))?$/;

export function isChessPosition(line: string): boolean {
  return PLACEMENT.test(line);
}

/**
 * Reads a line. Nothing is refused here: the reader of FENs checks the fields. A plain FEN comes back as it
 * is written, but for spaces.
 */
export function readChessPosition(line: string): PositionText {
  const [first] = line.trim().split(/\s/, 1);
  const spaced = first.includes('_')
    ? first.replaceAll('_', ' ') + line.trim().slice(first.length)
    : line.trim();
  const [, position, stipulation, rest = ''] = WITH_STIPULATION.exec(spaced) ?? [];
  if (stipulation !== undefined) return asProblem(position, stipulation, rest);
  const fields = spaced.split(/\s+/);
  const board = fields.slice(0, 4);
  let at = board.length;
  const counters: string[] = [];
  while (counters.length < 2 && COUNTER.test(fields[at] ?? '')) {
    counters.push(fields[at].replace(';', ''));
    if (fields[at++].endsWith(';')) break;
  }
  const behind = restOf(spaced, at);
  const operations = readOperations(behind);
  const isRemark = /^[;#/]/.test(behind);
  const isPlain = Object.keys(operations).length === 0 && !isRemark;
  // The reader of FENs plays moves, and refuses what is neither a counter nor an operation.
  if (isPlain)
    return {
      fen: [...board, ...counters, ...(behind === '' ? [] : [behind])].join(' '),
      operations: {},
      isPlain,
    };
  const [clock = operations.hmvc?.[0] ?? '0', move = operations.fmvn?.[0] ?? '1'] = counters;
  const defaults = ['', 'w', '-', '-'];
  const whole = defaults.map((field, i) => board[i] ?? field);
  return { fen: [...whole, clock, move].join(' '), operations, isPlain };
}

/** A position whose side to move the stipulation names, if its fields do not. */
function asProblem(position: string, stipulation: string, rest: string): PositionText {
  const fields = position.split(/\s+/);
  if (fields.length === 1) fields.push(readStipulation(stipulation).mover === 0 ? 'w' : 'b');
  const { fen } = readChessPosition([...fields, ...['-', '-'].slice(fields.length - 2), ';'].join(' '));
  return { fen, operations: { ...readOperations(rest), stip: [stipulation] }, isPlain: false };
}

/** The text behind so many fields. */
function restOf(text: string, fields: number): string {
  const expression = /\S+\s*/y;
  for (let i = 0; i < fields; i++) expression.test(text);
  return text
    .slice(fields === 0 ? 0 : expression.lastIndex)
    .replace(/^;\s*/, ';')
    .trim();
}

function readOperations(text: string): Record<string, readonly string[]> {
  const operations: Record<string, readonly string[]> = Object.create(null);
  for (const { 0: part, index } of text.matchAll(/(?:"(?:\\.|[^"\\])*"|[^;"]|"(?!.*"))+/g)) {
    const found = OPERATION.exec(part.trim());
    if (found === null || found[1] in operations) continue;
    const isEnded = text[index + part.length] === ';';
    if (!isEnded && !OPCODE.test(found[1])) continue;
    const operands = (found[2] ?? '').match(/"(?:\\.|[^"\\])*"|[^\s"]+/g) ?? [];
    operations[found[1]] = operands.map((operand) =>
      operand.replace(/^"(.*)"$/, '$1').replace(/\\(["\\])/g, '$1'),
    );
  }
  return { ...operations };
}

/** Names of nodes, as people write them. */
import { UserError } from '../../operators/core/errors.js';
import type { NodeId } from '../../pipeline/graph/source.js';

/** Reads the name of a node: text in quotes, an integer, or else text taken literally. Throws UserError. */
export function readNodeId(text: string): NodeId {
  if (/^-?\d+$/.test(text)) {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : BigInt(text);
  }
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new UserError(`node ${text}: the quotes do not close`);
  }
}

/** Writes a name for {@link readNodeId}, in a line: literally, or in quotes if it would be read as something else. */
export function writeNodeId(id: NodeId): string {
  if (typeof id !== 'string') return String(id);
  const isTaken = /^-?\d+$|^"|\p{Cc}/u.test(id) || id.trim() !== id || id === '';
  return isTaken ? JSON.stringify(id) : id;
}

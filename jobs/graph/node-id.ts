/** Names of nodes, as people write them. */
import { UserError } from '../../operators/core/errors.js';
import type { NodeId } from '../../pipeline/graph/source.js';

/** Text in quotes, integers; all else is text as it stands. Throws UserError. */
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

/** Writes for {@link readNodeId}: text as it stands, unless it would be read as something else. */
export function writeNodeId(id: NodeId): string {
  if (typeof id !== 'string') return String(id);
  return /^-?\d+$/.test(id) || id.startsWith('"') || id.trim() !== id || id === '' ? JSON.stringify(id) : id;
}

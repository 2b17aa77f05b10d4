/** Where functions of users are written. V8 tells it to inspectors alone, so one is connected for a moment, within this thread. */
import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';

const ASKED = Symbol.for('mergemate.asked');
const OWN = fileURLToPath(new URL('..', import.meta.url));

/** A game that is wrong may be so at thousands of positions. */
const known = new WeakMap<object, string>();

interface Place {
  readonly name: string;
  readonly value?: { readonly value?: { readonly scriptId: string; readonly lineNumber: number } };
}

/** As " (game.ts, line 21)"; empty for what is no function, or is one of this program. */
export function placeOfFunction(call: unknown): string {
  if (typeof call !== 'function') return '';
  let place = known.get(call);
  if (place === undefined) known.set(call, (place = findPlace(call)));
  return place;
}

function findPlace(call: unknown): string {
  const session = new Session();
  const globals = globalThis as Record<symbol, unknown>;
  const urls = new Map<string, string>();
  let place: Place['value'];
  try {
    session.connect();
    globals[ASKED] = call;
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
    // Within a thread all of these return at once.
    session.post('Debugger.enable');
    session.post(
      'Runtime.evaluate',
      { expression: `globalThis[Symbol.for(${JSON.stringify(ASKED.description)})]` },
      (_, found) => {
        const objectId = found?.result.objectId;
        if (objectId === undefined) return;
        session.post('Runtime.getProperties', { objectId, ownProperties: true }, (_, properties) => {
          const inner = (properties?.internalProperties ?? []) as unknown as Place[];
          place = inner.find(({ name }) => name === '[[FunctionLocation]]')?.value;
        });
      },
    );
  } catch {
    // An inspector may be missing; the message is of use without a place.
  } finally {
    session.disconnect();
    delete globals[ASKED];
  }
  if (place?.value === undefined) return '';
  const path = (urls.get(place.value.scriptId) ?? '').replace(/^file:\/\//, '');
  if (path === '' || path.startsWith('node:') || path.startsWith(OWN)) return '';
  return ` (${decodeURIComponent(path.replace(/^.*[/\\]/, ''))}, line ${place.value.lineNumber + 1})`;
}

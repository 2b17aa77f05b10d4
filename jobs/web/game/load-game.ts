/** Runs the script that jobs/game-module/page-script.ts made: the rules of the game, as its author wrote them. */
import * as forGames from '../../../pipeline/for-games.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { isKeyedRules } from '../../../pipeline/games/yours/keyed/keyed-game.js';
import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';

/** A graph has no rules: all of it is published. */
export interface LoadedGraph {
  readonly graph: string;
  readonly metric: Metric;
}

export interface LoadedGame {
  readonly game: KeyedRules;
  readonly metric: Metric;
  /** The server of the page has the values; else a published file beside it. */
  readonly served: boolean;
}

interface PageGame {
  readonly settings: { readonly metric: Metric; readonly served?: boolean; readonly graph?: string };
  readonly main: string;
  readonly modules: Readonly<Record<string, PageModule>>;
}

interface PageModule {
  /** The modules that its imports mean. */
  readonly needs: Readonly<Record<string, string>>;
  run(exports: object, require: (asked: string) => unknown, module: { exports: object }): void;
}

declare global {
  var mergemateGame: PageGame | undefined;
}

const SCRIPT = 'game.js';

export async function loadGame(): Promise<LoadedGame | LoadedGraph> {
  await new Promise<void>((done, failed) => {
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.addEventListener('load', () => done());
    script.addEventListener('error', () => failed(new Error(`${SCRIPT} is not there.`)));
    document.head.append(script);
  });
  const found = globalThis.mergemateGame;
  if (found === undefined) throw new Error(`${SCRIPT} has no game.`);
  const { settings, main, modules } = found;
  if (settings.graph !== undefined) return { graph: settings.graph, metric: settings.metric };
  const run = new Map<string, { exports: object }>();

  function load(name: string): object {
    const known = run.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    run.set(name, module);
    const { needs, run: body } = modules[name];
    body(module.exports, (asked) => (asked === 'mergemate' ? forGames : load(needs[asked])), module);
    return module.exports;
  }

  const { default: game } = load(main) as { default?: unknown };
  if (!isKeyedRules(game)) throw new Error(`${SCRIPT} has no keyed game.`);
  return { game, metric: settings.metric, served: settings.served === true };
}

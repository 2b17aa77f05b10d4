/** The server's news, and whether they still come. The browser reconnects by itself; a connection that is silent is made again. */
import type { Heartbeat, RunChange, RunEnded, RunSnapshot } from '../../server/monitor/monitor-answers.js';

export interface News {
  snapshot(snapshot: RunSnapshot): void;
  change(change: RunChange): void;
  ended(run: RunEnded): void;
  /** `problem`: why nothing comes, or the store cannot be read; null if all is well. */
  connected(live: boolean, problem: string | null): void;
}

/** The server says something every ten seconds. */
const SILENCE_MS = 25_000;
const AGAIN_MS = 3000;

export function connect(url: string, news: News): void {
  let source: EventSource | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function again(): void {
    source?.close();
    clearTimeout(silence);
    silence = setTimeout(open, AGAIN_MS);
  }

  function heard(problem: string | null = null): void {
    news.connected(true, problem);
    clearTimeout(silence);
    silence = setTimeout(() => {
      news.connected(false, null);
      again();
    }, SILENCE_MS);
  }

  function open(): void {
    source = new EventSource(url);
    const on = <T>(type: string, take: (what: T) => void): void =>
      source!.addEventListener(type, (event) => take(JSON.parse((event as MessageEvent<string>).data) as T));
    on<RunSnapshot>('snapshot', (snapshot) => {
      heard();
      news.snapshot(snapshot);
    });
    on<RunChange>('change', (change) => {
      heard();
      news.change(change);
    });
    on<RunEnded>('ended', (run) => news.ended(run));
    on<Heartbeat>('heartbeat', ({ problem }) => heard(problem));
    source.addEventListener('error', () => {
      news.connected(false, null);
      // An answer that is no stream of events ends it for good: too many watch, or a proxy stands in between.
      if (source!.readyState === EventSource.CLOSED) again();
    });
  }

  open();
}

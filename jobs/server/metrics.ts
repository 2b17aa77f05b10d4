/** Metrics of the server, in the text format of Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BlockCacheCounts } from '../../pipeline/tables/probe/block-cache.js';
import type { Gate } from './gate.js';

export interface Metrics {
  /** @param route a path of the API, "page", or "other"; never text of a client. */
  answered(route: string, method: string, status: number, seconds: number): void;
  /** Counts connections that never became a request, so that they have neither route nor method. */
  refused(status: number): void;
  text(): Promise<string>;
  readonly contentType: string;
}

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function newMetrics(gate: Pick<Gate, 'running' | 'waiting'>, cache: () => BlockCacheCounts): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });

  const requests = new Counter({
    name: 'mergemate_http_requests_total',
    help: 'Requests answered, or refused before they were any',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'mergemate_http_request_seconds',
    help: 'Time from the arrival of a request to its answer',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  });
  gauge('mergemate_lookups_running', 'Requests that look something up or scan tables', () => gate.running);
  gauge('mergemate_lookups_waiting', 'Requests that wait for their turn to', () => gate.waiting);
  counter('mergemate_block_cache_hits_total', 'Values found in blocks in memory', () => cache().hits);
  counter('mergemate_block_cache_misses_total', 'Values that a block was read for', () => cache().misses);
  counter('mergemate_block_bytes_read_total', 'Bytes of the blocks read', () => cache().bytesRead);

  function gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  }

  /** Adds figures that are counted elsewhere. */
  function counter(name: string, help: string, value: () => number): void {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  }

  return {
    answered(route, method, status, time) {
      requests.inc({ route, method, status });
      seconds.observe({ route }, time);
    },
    refused: (status) => requests.inc({ route: 'none', method: 'none', status }),
    text: () => register.metrics(),
    contentType: register.contentType,
  };
}

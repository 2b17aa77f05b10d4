import type { Budget } from '../../../operators/core/budget.js';
import { UserError } from '../../../operators/core/errors.js';
import type { PageFile, PageFolder } from '../../../operators/storage/page-folder.js';
import type { Game, Side, Slice } from '../../game/game.js';
import { majorOf } from '../../game/majors.js';
import type { Metric } from '../../game/value.js';
import { layOut } from './address-space.js';
import { type PagedState, writeState } from './checkpoint.js';
import { type CodeBits, codecOf } from './codes.js';
import type { Visit } from './conversion-passes.js';
import type { PagedCounters } from './counters.js';
import { buffersIn } from './memory.js';
import { PageBuffers } from './page-buffers.js';
import { PagedValues } from './paged-values.js';
import { pagePlace, scanOrder } from './scan-order.js';
import { BATCH_ROWS, newBatches, type PassWork } from './work.js';

export interface Setting {
  readonly game: Game;
  readonly slice: Slice;
  readonly metric: Metric;
  readonly budget: Budget;
  /** Page buffers instead of those that `budget.memory` has room for. */
  readonly buffers: number | undefined;
  readonly folder: PageFolder;
  readonly counters: PagedCounters;
}

/** An open page file with all that work on it needs. */
export interface OpenPages extends PassWork {
  readonly file: PageFile;
}

const pageFileName = (bits: CodeBits): string => `values-${bits}`;

/** Opens the page file for codes of `bits`; with `empty`, an empty one. */
export function openPages(setting: Setting, bits: CodeBits, empty: boolean): OpenPages {
  const { game, slice, metric, budget, folder, counters } = setting;
  const codec = codecOf(bits);
  const dependencies = slice.dependencies.map((dependency) => game.slice(dependency.slice));
  const space = layOut(slice, dependencies, bits);
  counters.pages = space.pages;
  counters.buffers = setting.buffers ?? buffersIn(budget, space, codec);
  const file = folder.open(pageFileName(bits), empty);
  const buffers = new PageBuffers(folder.pool(counters.buffers), space.pages, file, counters);
  const values = new PagedValues(space, codec, buffers);
  const batches = newBatches();
  const sampled = { slice, space, batches };
  const orders = [scanOrder(sampled, 0), scanOrder(sampled, 1)] as const;
  return { slice, metric, codec, space, orders, values, batches, counters, file };
}

/** State that the steps of a solve share: the pages, the progress, and when to write them down. */
export class Session {
  private effortThen = 0;

  constructor(
    readonly setting: Setting,
    public work: OpenPages,
    readonly state: PagedState,
    private readonly checkpointRows: number,
    /** Called with positions gone over; an error that it throws ends the work there and then. */
    readonly report: (done: number) => void,
  ) {}

  /** Enough has been done since the last checkpoint for another one to be worth it. */
  get due(): boolean {
    const { moves, unmoves, conversions, scanned } = this.work.counters;
    return moves + unmoves + conversions + scanned * BATCH_ROWS - this.effortThen >= this.checkpointRows;
  }

  /** Writes changed pages, then the state: see checkpoint.ts. Lets the event loop turn. */
  async checkpoint(): Promise<void> {
    const { values, file, counters } = this.work;
    values.buffers.flush();
    file.sync();
    counters.checkpoints++;
    this.state.counters = { ...counters };
    writeState(this.setting.folder, this.state);
    const { moves, unmoves, conversions, scanned } = counters;
    this.effortThen = moves + unmoves + conversions + scanned * BATCH_ROWS;
    await new Promise((resolve) => setImmediate(resolve));
  }

  /**
   * Goes over the pages of `state.side` in their order from place `state.page` on, with a checkpoint whenever one is
   * due. Then the page is 0 again. With `fresh` what was in the pages is forgotten.
   */
  async sweep(visit: Visit, fresh: boolean): Promise<void> {
    const { state, work } = this;
    const order = work.orders[state.side];
    while (state.page < order.length) {
      this.report(visitPage(work, visit, state.side, order[state.page], fresh));
      state.page++;
      if (this.due) await this.checkpoint();
    }
    state.page = 0;
  }

  /** Goes over all pages of a side, with no checkpoint. */
  scan(side: Side, visit: Visit): void {
    visitSide(this.work, side, visit, this.report);
  }

  /**
   * Goes on with codes of 16 bits, in a page file of their own. Only the slice's own pages are taken along: dependencies
   * are not looked up again.
   */
  async widen(): Promise<void> {
    const { setting, work: narrow } = this;
    if (narrow.codec.bits === 16) {
      throw new UserError(
        `${setting.slice.name} has longer wins than the paged solver's ${narrow.codec.maxPly} plies`,
      );
    }
    narrow.values.buffers.flush();
    const wide = openPages(setting, 16, true);
    const { slice, space } = narrow;
    const from = setting.folder.pool(1);
    for (let major = 0; major < space.ownMajors; major++) {
      const size = space.positions[major];
      for (let first = 0; first < size; first += space.perPage) {
        narrow.file.read(space.firstPage[major] + first / space.perPage, from, 0);
        const end = Math.min(size, first + space.perPage);
        for (let start = first; start < end; start += wide.space.perPage) {
          wide.values.pin(major, start, true);
          const length = Math.min(wide.space.perPage, end - start);
          for (let i = 0; i < length; i++) {
            const code = widened(narrow, wide, from[start - first + i]);
            if (code !== 0) wide.values.setPinned(i, code);
          }
          wide.values.buffers.release();
        }
      }
    }
    narrow.file.close();
    this.work = wide;
    this.state.bits = 16;
    await this.checkpoint();
    setting.folder.delete(pageFileName(8));
    this.report(2 * slice.size);
  }
}

/** Goes over all pages of a side, in order. */
export function visitSide(work: PassWork, side: Side, visit: Visit, report: (done: number) => void): void {
  for (const page of work.orders[side]) report(visitPage(work, visit, side, page, false));
}

/** Visits a page of a side, while it is pinned, batch by batch. Returns its positions. */
function visitPage(work: PassWork, visit: Visit, side: Side, page: number, fresh: boolean): number {
  const { slice, space, values } = work;
  const { part, first } = pagePlace(work, side, page);
  const length = Math.min(space.perPage, slice.partSize(part) - first);
  values.pin(majorOf(slice, side, part), first, fresh);
  for (let place = 0; place < length; place += BATCH_ROWS) {
    visit(side, part, first + place, Math.min(BATCH_ROWS, length - place), place);
  }
  values.buffers.release();
  return length;
}

function widened(narrow: PassWork, wide: PassWork, code: number): number {
  const ply = narrow.codec.plyOf[code];
  for (const make of ['win', 'loss', 'pendingLoss'] as const) {
    if (ply > 0 || make === 'loss') if (narrow.codec[make](ply) === code) return wide.codec[make](ply);
  }
  return code; // unknown, drawn and broken are the same in both
}

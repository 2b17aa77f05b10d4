/** Games and studies as PGN: a score sheet of moves judged by the tables, to be clicked through on the board. */
import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { decoded } from '../cli/text-encoding.js';
import { useAsked } from './asked.js';
import { type Line, type LineStep, newLine } from './line.js';
import { download } from './share/download.js';
import type { App } from './stores/app.js';
import type {
  AnnotatedGame,
  AnnotatedText,
  CheckedMove,
  StudyMove,
  StudyWords,
} from './study/annotate-text.js';
import { wdlClass } from './value-words.js';
import { Button, Select } from './widgets.js';

const MARKS: Partial<Record<CheckedMove['verdict'], string>> = { mistake: '?', only: '□', forced: '□' };

/** A move of a game, the line that leads to the position after it, and the lines that begin in its place. */
interface Item {
  /** "1." or "1..." */
  readonly number: string;
  readonly text: string;
  readonly line: Line;
  readonly finding: CheckedMove | undefined;
  readonly remark: string;
  readonly variations: readonly (readonly Item[])[];
}

/** What was read, with the words for it, which are fetched with all else that reads games. */
type Read = AnnotatedText & { readonly words: StudyWords };

export function Games({ app }: { readonly app: App }) {
  const text = useRef<HTMLTextAreaElement>(null);
  const asked = useAsked<null>(app.notices.failed);
  const read = useSignal<Read | null>(null);
  const which = useSignal(0);
  const said = useSignal('');
  const isPasting = useSignal(true);
  const game = useComputed(() => read.value?.games[which.value]);
  const items = useComputed(() => (game.value ? itemsOf(game.value, read.value!.words) : []));

  const run = async (): Promise<void> => {
    const pgn = text.current!.value;
    if (pgn.trim() === '') {
      said.value = 'There is no text yet.';
      return;
    }
    said.value = 'Looking the moves up…';
    read.value = null;
    const done = await asked.ask(
      async (signal) => {
        const { annotateText, words } = await import('./study/annotate-text.js');
        await annotateText(
          pgn,
          (study, own) => {
            signal.throwIfAborted();
            return app.source.check(study, own);
          },
          (now) => {
            if (signal.aborted) return;
            const isFirst = read.peek() === null;
            read.value = { ...now, words };
            if (isFirst) show(0);
          },
        );
        return null;
      },
      () => void run(),
    );
    if (done === null && read.peek() === null) said.value = '';
  };

  const open = (line: Line) => void app.open({ game: 'chess' }, 'push', line);

  /** Shows a game, before the first move of its main line that the tables have: what comes before has no values. */
  const show = (at: number) => {
    which.value = at;
    const { problems, games } = read.peek()!;
    const found = games[at];
    said.value =
      at === 0 && (problems.length > 0 || found === undefined)
        ? (problems[0] ?? 'No game and no position is in this text.')
        : tallyWords(found);
    if (found === undefined) return;
    isPasting.value = false;
    const [first] = items.peek();
    const known = items.peek().find(({ finding }) => finding !== undefined) ?? first;
    open(known === undefined ? newLine(found.study.fen) : { ...known.line, at: known.line.at - 1 });
  };

  const file = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    text.current!.value = decoded(new Uint8Array(await chosen.arrayBuffer()));
    await run();
  };

  const { pasted } = app;
  useEffect(() => {
    if (pasted.value === '') return;
    text.current!.value = pasted.value;
    pasted.value = '';
    void run();
  }, [pasted.value]);

  const all = read.value;
  const now = app.position.shown.value;
  const isCurrent = ({ line }: Item) => now !== null && isSame(line, now.line);
  const flat = flatOf(items.value);
  const mistakes = flat.filter(({ finding }) => finding?.verdict === 'mistake');
  /** Stops before the mistake, so that one can look for a better move. */
  const nextMistake = () => {
    const at = flat.findIndex(isCurrent);
    const after = flat.slice(at + 1).filter((each) => mistakes.includes(each));
    // The one before which the board stands already is passed over.
    const next = after.find(({ line }) => !isSame({ ...line, at: line.at - 1 }, now!.line)) ?? mistakes[0];
    open({ ...next.line, at: next.line.at - 1 });
  };
  const item = (one: Item) => (
    <MoveItem key={one.line.at} item={one} isCurrent={isCurrent(one)} open={open} />
  );
  return (
    <section class="games" aria-label="Games" aria-busy={asked.busy}>
      <details
        open={isPasting.value}
        onToggle={({ currentTarget }) => {
          isPasting.value = currentTarget.open;
        }}
      >
        <summary>{all === null ? 'A game or study, or positions' : 'Another text'}</summary>
        <label for="pgn" class="soft">
          A game or study as PGN, or positions as FEN, a line each
        </label>
        <textarea
          ref={text}
          id="pgn"
          rows={5}
          spellcheck={false}
          autocomplete="off"
          placeholder={'[FEN "…"]\n\n1. Qa8 Rc3 2. …'}
        />
        <div class="buttons">
          <Button press={() => void run()} class="main">
            Annotate
          </Button>
          <input
            type="file"
            accept=".pgn,.epd,.fen,.txt"
            aria-label="A file of games or positions"
            onChange={({ currentTarget }) => void file(currentTarget.files?.[0])}
          />
        </div>
      </details>
      {all !== null && asked.busy.value && (
        <progress value={all.games.length} max={all.total} aria-label="Games held against the tables" />
      )}
      {all !== null && all.total > 1 && (
        <Select
          label="Which game"
          value={String(which.value)}
          changed={(at) => show(Number(at))}
          of={all.games.map(({ study }, i) => [String(i), study.title] as const)}
        />
      )}
      <p class="soft" role="status">
        {said}
      </p>
      {game.value && (
        <>
          <p class="start">{startWords(game.value, all!.words)}</p>
          {game.value.checked.summary && (
            <p class="judgement">{all!.words.summaryText(game.value.checked.summary)}</p>
          )}
          <Sheet items={items.value} item={item} />
          <div class="buttons">
            {mistakes.length > 0 && <Button press={nextMistake}>Next mistake</Button>}
            <Button press={() => download('annotated.pgn', 'application/x-chess-pgn', all!.pgn)}>
              Save the annotated PGN
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

interface SheetProps {
  readonly items: readonly Item[];
  readonly item: (one: Item) => ComponentChildren;
}

/** The main line in two columns, White's and Black's; below a move what is said of it, and the lines that begin in its place. */
function Sheet({ items, item }: SheetProps) {
  const cells = items.flatMap((one, i) => {
    const isBlack = one.number.endsWith('..');
    const wasNoted = i === 0 || isNoted(items[i - 1]);
    return [
      (!isBlack || wasNoted) && (
        <span key={`number ${i}`} class="number">
          {one.number.replace(/\.+$/, '')}
        </span>
      ),
      isBlack && wasNoted && (
        <span key={`gap ${i}`} class="soft">
          …
        </span>
      ),
      item(one),
      isNoted(one) && (
        <div key={`notes ${i}`} class="notes">
          {one.remark !== '' && <p class="soft">{one.remark}</p>}
          {one.variations.map((line, j) => (
            <Variation key={j} items={line} item={item} />
          ))}
        </div>
      ),
    ];
  });
  return <div class="sheet annotated">{cells}</div>;
}

const isNoted = ({ remark, variations }: Item): boolean => remark !== '' || variations.length > 0;

function Variation({ items, item }: SheetProps) {
  return (
    <div class="variation">
      {items.map((one, i) => (
        <>
          <span class="numbered">
            {(i === 0 || !one.number.endsWith('..')) && <span class="soft">{one.number}</span>}
            {item(one)}
          </span>{' '}
          {one.remark !== '' && <span class="soft">{one.remark} </span>}
          {one.variations.map((line, j) => (
            <Variation key={j} items={line} item={item} />
          ))}
        </>
      ))}
    </div>
  );
}

interface ItemProps {
  readonly item: Item;
  readonly isCurrent: boolean;
  readonly open: (line: Line) => void;
}

/** The current move is kept in view. */
function MoveItem({ item: { number, text, line, finding }, isCurrent, open }: ItemProps) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isCurrent) element.current!.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <span ref={element} class="cell">
      <Button
        press={() => open(line)}
        class={`quiet ${finding === undefined ? '' : `${finding.verdict} ${wdlClass(finding.after)}`}`}
        current={isCurrent ? 'step' : undefined}
        name={`${number} ${text}`}
      >
        {text}
      </Button>
    </span>
  );
}

function itemsOf({ study, checked }: AnnotatedGame, words: StudyWords): Item[] {
  const comments = words.commentsOf(checked);
  const found = new Map(checked.moves.map((move) => [keyOf(move, move.fen, move.depth), move]));
  const start = newLine(study.fen);

  function items(line: readonly StudyMove[], before: readonly LineStep[], depth: number): Item[] {
    const whole = [...before, ...line.map(({ uci, san, after }) => ({ uci, san, position: after }))];
    return line.map((move, i) => {
      const finding = found.get(keyOf(move, move.before, depth));
      return {
        number: move.number,
        text: `${move.san}${(finding && MARKS[finding.verdict]) ?? ''}`,
        line: { ...start, steps: whole, at: before.length + i + 1 },
        finding,
        remark: (finding && comments.get(finding)) ?? '',
        variations: move.variations.map((each) => items(each, whole.slice(0, before.length + i), depth + 1)),
      };
    });
  }

  return items(study.moves, [], 0);
}

/** In the order in which they are read. */
function flatOf(items: readonly Item[]): Item[] {
  return items.flatMap((item) => [item, ...item.variations.flatMap(flatOf)]);
}

/** A move of a study and its finding have the same key. */
function keyOf({ number, san }: StudyMove | CheckedMove, before: string, depth: number): string {
  return `${depth} ${number} ${before} ${san}`;
}

/** Whether both lines lead to the same position by the same moves. */
function isSame(line: Line, { start, steps, at }: Line): boolean {
  return (
    line.start === start &&
    line.at === at &&
    line.steps.slice(0, at).every(({ uci }, i) => uci === steps[i]?.uci)
  );
}

/** The outcome at the start, in a game without moves the moves that keep it, what becomes of what the text claims, and what is odd about it. */
function startWords({ checked }: AnnotatedGame, { claimsText, waysText }: StudyWords): string {
  const { start, moves } = checked;
  const outcome = start === null ? 'in no table' : `${start.wdl}${moves.length > 0 ? '' : waysText(start)}`;
  return `At the start: ${[outcome, ...claimsText(checked), ...checked.remarks].join('; ')}`;
}

/** How many moves are known, and how many of these are mistakes. */
function tallyWords({ checked: { moves, unknown } }: AnnotatedGame): string {
  const mistakes = moves.filter(({ verdict }) => verdict === 'mistake').length;
  const known = moves.length;
  const words = [
    `${known} of ${known + unknown} moves are in the tables`,
    `${mistakes} ${mistakes === 1 ? 'gives' : 'give'} something away`,
  ];
  return `${words.join(', ')}.`;
}

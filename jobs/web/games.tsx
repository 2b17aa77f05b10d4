/** Games and studies as PGN: their moves annotated from the tables, to be clicked through on the board. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { decoded } from '../cli/text-encoding.js';
import { type Line, type LineStep, newLine } from './line.js';
import { download } from './share/download.js';
import type { App } from './state.js';
import type {
  AnnotatedGame,
  AnnotatedText,
  CheckedMove,
  StudyMove,
  StudyWords,
} from './study/annotate-text.js';
import { wdlClass } from './value-words.js';
import { Button } from './widgets.js';

const MARKS: Partial<Record<CheckedMove['verdict'], string>> = { mistake: '?', only: '□', forced: '□' };

/** A move of a game as a button, which opens the line that leads to the position after it. */
interface MoveItem {
  readonly text: string;
  readonly line: Line;
  readonly finding: CheckedMove | undefined;
  readonly remark: string;
  readonly isVariation: boolean;
}

/** What was read, with the words for it, which are fetched with all else that reads games. */
type Read = AnnotatedText & { readonly words: StudyWords };

export function Games({ app }: { readonly app: App }) {
  const text = useRef<HTMLTextAreaElement>(null);
  const read = useSignal<Read | null>(null);
  const which = useSignal(0);
  const said = useSignal('');
  const busy = useSignal(false);
  const game = useComputed(() => read.value?.games[which.value]);
  const items = useComputed(() => (game.value ? itemsOf(game.value, read.value!.words) : []));

  const run = async (): Promise<void> => {
    const pgn = text.current!.value;
    if (pgn.trim() === '') {
      said.value = 'There is no text yet.';
      return;
    }
    busy.value = true;
    said.value = 'Looking the moves up…';
    try {
      const { annotateText, lookupBy, words } = await import('./study/annotate-text.js');
      const found = await annotateText(pgn, lookupBy(app.source, app.games, app.shown.peek()!));
      read.value = { ...found, words };
      said.value =
        found.problems[0] ?? (found.games.length === 0 ? 'No game and no position is in this text.' : '');
      show(0);
    } catch (error) {
      said.value = '';
      app.failed(error as Error);
    } finally {
      busy.value = false;
    }
  };

  const open = (line: Line) => void app.open({ game: 'chess' }, 'push', line);

  /** Shows a game, before the first move of its main line that the tables have: what comes before has no values. */
  const show = (at: number) => {
    which.value = at;
    if (game.peek() === undefined) return;
    if (at > 0 || read.peek()!.problems.length === 0) said.value = tallyWords(game.peek()!);
    const [start, first] = items.peek();
    const known = items
      .peek()
      .find(({ finding, isVariation }) => finding !== undefined && !isVariation)?.line;
    open(
      known === undefined
        ? first?.line
          ? { ...first.line, at: 0 }
          : start.line
        : { ...known, at: known.at - 1 },
    );
  };

  const file = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    text.current!.value = decoded(new Uint8Array(await chosen.arrayBuffer()));
    await run();
  };

  const all = read.value;
  const now = app.shown.value;
  const current = items.value.findIndex(({ line }) => now !== null && isSame(line, now.line));
  const mistakes = items.value.filter(({ finding }) => finding?.verdict === 'mistake');
  const nextMistake = () => {
    const after = items.value.slice(current + 1).find((each) => mistakes.includes(each));
    open((after ?? mistakes[0]).line);
  };
  return (
    <section class="games" aria-labelledby="games-title" aria-busy={busy.value ? 'true' : undefined}>
      <h2 id="games-title">Games</h2>
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
      <p class="soft" role="status">
        {said}
      </p>
      {all !== null && all.games.length > 1 && (
        <select
          aria-label="Which game"
          value={which.value}
          onChange={({ currentTarget }) => show(Number(currentTarget.value))}
        >
          {all.games.map(({ study }, i) => (
            <option key={i} value={i}>
              {study.title}
            </option>
          ))}
        </select>
      )}
      {mistakes.length > 0 && <Button press={nextMistake}>Next mistake</Button>}
      <ol class="annotated">
        {items.value.map((item, i) => (
          <Item key={i} item={item} isCurrent={i === current} open={open} />
        ))}
      </ol>
      {all !== null && all.games.length > 0 && (
        <Button press={() => download('annotated.pgn', 'application/x-chess-pgn', all.pgn)}>
          Save the annotated PGN
        </Button>
      )}
    </section>
  );
}

interface ItemProps {
  readonly item: MoveItem;
  readonly isCurrent: boolean;
  readonly open: (line: Line) => void;
}

/** The current move is kept in view. */
function Item({ item: { text, line, finding, remark, isVariation }, isCurrent, open }: ItemProps) {
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) element.current!.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <li ref={element} class={`${isVariation ? 'variation' : ''} ${remark === '' ? '' : 'remarked'}`}>
      <Button
        press={() => open(line)}
        class={finding === undefined ? '' : `${finding.verdict} ${wdlClass(finding.after)}`}
        current={isCurrent ? 'step' : undefined}
      >
        {text}
      </Button>
      <span class="soft">{remark}</span>
    </li>
  );
}

function itemsOf({ study, checked }: AnnotatedGame, words: StudyWords): MoveItem[] {
  const comments = words.commentsOf(checked);
  const found = new Map(checked.moves.map((move) => [keyOf(move, move.fen, move.depth), move]));
  const start = newLine(study.fen);

  function items(line: readonly StudyMove[], before: readonly LineStep[], depth: number): MoveItem[] {
    const whole = [...before, ...line.map(({ uci, san, after }) => ({ uci, san, position: after }))];
    return line.flatMap((move, i) => {
      const finding = found.get(keyOf(move, move.before, depth));
      const mark = (finding && MARKS[finding.verdict]) ?? '';
      const item = {
        text: `${move.number} ${move.san}${mark}`,
        line: { ...start, steps: whole, at: before.length + i + 1 },
        finding,
        remark: finding === undefined ? '' : (comments.get(finding) ?? ''),
        isVariation: depth > 0,
      };
      const steps = whole.slice(0, before.length + i);
      return [item, ...move.variations.flatMap((each) => items(each, steps, depth + 1))];
    });
  }

  const first = { text: 'Start', line: start, finding: undefined, isVariation: false };
  return [{ ...first, remark: startWords({ study, checked }, words) }, ...items(study.moves, [], 0)];
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
  return [outcome, ...claimsText(checked), ...checked.remarks].join('; ');
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

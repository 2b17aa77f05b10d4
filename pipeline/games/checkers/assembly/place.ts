/** Reading indices. The position last read is in variables: as its mover sees it, and the same squares turned round. */
import { enemyFirst, menFrom, menPlacements, menRead, readMen, Space } from './space';
import { deposit, firstSet, setAfter, setAt, turned } from './squares';
import { HERE } from './tables';

export let men: i32 = 0;
export let kings: i32 = 0;
export let enemyMen: i32 = 0;
export let enemyKings: i32 = 0;
export let turnedMen: i32 = 0;
export let turnedKings: i32 = 0;
export let turnedEnemyMen: i32 = 0;

/** How many placements of men were read. */
export let placements: i32 = 0;
/** Greater than any index. */
const UNREAD: i64 = (1 as i64) << 62;
/** The first index with the same men, and how far from it the first is that has the same kings of the mover too. */
let menStart: i64 = UNREAD;
let kingsStart: i64 = UNREAD;
/** All that is on the board but the other player's kings. */
let taken: i32 = 0;

/** Forgets what was read: the space is another. */
export function begin(): void {
  menStart = UNREAD;
  placements++;
}

/** Reads an index; fastest in ascending order, since what has not changed is not read again. */
export function read(index: i64): void {
  const space = changetype<Space>(HERE);
  if (((index - menStart) as u64) >= (space.kings as u64)) {
    const placement = index / space.kings;
    if (menStart === UNREAD || ((placement - menFrom) as u64) >= (menPlacements as u64)) {
      readMen(space, placement);
      men = menRead;
      turnedMen = turned(men);
    }
    menStart = placement * space.kings;
    placements++;
    kingsStart = UNREAD;
    const number = ((placement - menFrom) as i32) + enemyFirst(space, turnedMen);
    turnedEnemyMen = deposit(setAt(space.enemyMen, number), turnedMen);
    enemyMen = turned(turnedEnemyMen);
  }
  const rest = index - menStart;
  if (((rest - kingsStart) as u64) >= (space.enemyKingSets as u64)) {
    const set = rest / space.enemyKingSets;
    kingsStart = set * space.enemyKingSets;
    putKings(deposit(setAt(space.ownKings, set as i32), men | enemyMen));
  }
  enemyKings = deposit(setAt(space.enemyKings, (rest - kingsStart) as i32), taken);
}

function putKings(squares: i32): void {
  kings = squares;
  turnedKings = turned(squares);
  taken = men | enemyMen | squares;
}

/** Reads the index after the one last read. */
export function readNext(index: i64): void {
  const next = setAfter(enemyKings, ~taken);
  if (next !== 0) {
    enemyKings = next;
    return;
  }
  const space = changetype<Space>(HERE);
  let own = setAfter(kings, ~(men | enemyMen));
  if (own !== 0) kingsStart += space.enemyKingSets;
  else {
    const ranks = (space.enemyFollowing << 4) | 15;
    const nextMen = setAfter(turnedEnemyMen, ranks & ~turnedMen);
    if (nextMen === 0) {
      read(index);
      return;
    }
    turnedEnemyMen = nextMen;
    enemyMen = turned(nextMen);
    menStart = index;
    placements++;
    kingsStart = 0;
    own = firstSet(space.ownKings, ~(men | enemyMen));
  }
  putKings(own);
  enemyKings = firstSet(space.enemyKings, ~taken);
}

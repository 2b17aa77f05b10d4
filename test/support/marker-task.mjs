/**
 * A task for engines to run, with the arguments of `mergemate step`. The URI is a folder; the task is done when the file
 * done-N is in it. Tasks that do otherwise are named in the folder's behaviour.json; `journal` beside the folder has a line
 * for every beginning and end.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

const [uri, flag, task, ...others] = process.argv.slice(3);
if (process.argv[2] !== 'step' || flag !== '--task') throw new Error(`called as ${process.argv.slice(2)}`);

function note(what) {
  const line = { what, phase: basename(uri), task: Number(task), host: hostname() };
  appendFileSync(join(dirname(uri), 'journal'), `${JSON.stringify(line)}\n`);
}

/** Whether this is the first to put that file there. */
function put(name, text) {
  try {
    writeFileSync(join(uri, name), text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

const behaviour = JSON.parse(readFileSync(join(uri, 'behaviour.json'), 'utf8'))[task] ?? 'work';
const again = behaviour.endsWith('-once') && !put(`tried-${task}`, '');
note('begins');
console.log('at work');
switch (again ? 'work' : behaviour.replace('-once', '')) {
  case 'work':
    put(
      `done-${task}`,
      JSON.stringify({ others, set: process.env.MARKER, arenas: process.env.MALLOC_ARENA_MAX }),
    );
    note('ends');
    break;
  case 'fail':
    console.error(`some warning\nmarker-task: ${task} cannot be done`);
    process.exitCode = 2;
    break;
  case 'kill':
    process.kill(process.pid, 'SIGKILL');
    break;
  case 'hang':
    setInterval(() => {}, 1000);
    break;
}

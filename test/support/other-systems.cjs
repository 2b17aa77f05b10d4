/**
 * Has Node on Linux fail as it does on Windows and macOS; for `node --require`, in a process and all its threads and children. Files that
 * somebody has open cannot be renamed, replaced or deleted, folders cannot be synced, nothing bypasses the page cache, there is no /proc
 * and no SIGHUP. What a process has open is seen in the real /proc.
 *
 * Counts what it has refused in the file that MERGEMATE_TEST_REFUSALS names, a line each, so that a test sees that the double was met.
 */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { resolve } = require('node:path');

const real = { ...fs };
const IN_USE = ['EPERM', 'EBUSY', 'EACCES'];
let refusals = 0;

Object.defineProperty(process, 'platform', { value: 'win32' });

/** @param {string} code @param {string} call @param {unknown} [path] */
function refusal(code, call, path) {
  const log = process.env.MERGEMATE_TEST_REFUSALS;
  if (log !== undefined) real.appendFileSync(log, `${call} ${code} ${String(path ?? '')}\n`);
  return Object.assign(new Error(`${code}: refused by the double, ${call} '${path}'`), {
    code,
    syscall: call,
    path,
  });
}

/** Whether a process loads this double: no other has the files of a test open. By number; a look at all that a process has open takes long. */
const doubles = new Map([[String(process.pid), true]]);

/** @param {string} pid */
function isDouble(pid) {
  let is = doubles.get(pid);
  if (is === undefined) {
    is = real.readFileSync(`/proc/${pid}/environ`, 'latin1').includes('MERGEMATE_TEST_REFUSALS');
    doubles.set(pid, is);
  }
  return is;
}

/** Whether a process of this machine has a file open. @param {string} path */
function isOpen(path) {
  const wanted = resolve(String(path));
  for (const pid of real.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!isDouble(pid)) continue;
      for (const descriptor of real.readdirSync(`/proc/${pid}/fd`))
        if (isLinkTo(`/proc/${pid}/fd/${descriptor}`, wanted)) return true;
    } catch {
      // It has ended, or belongs to somebody else.
    }
  }
  return false;
}

/** @param {string} link @param {string} wanted */
function isLinkTo(link, wanted) {
  try {
    return real.readlinkSync(link) === wanted;
  } catch {
    return false; // closed meanwhile
  }
}

/** @param {string} call @param {string[]} paths */
function requireClosed(call, ...paths) {
  for (const path of paths) if (isOpen(path)) throw refusal(IN_USE[refusals++ % IN_USE.length], call, path);
}

/** @param {number} descriptor */
function requireFile(descriptor) {
  if (real.fstatSync(descriptor).isDirectory()) throw refusal('EPERM', 'fsync');
}

/** The form with a callback of a call that may throw. @param {(...args: any[]) => any} check @param {(...args: any[]) => any} call */
function late(check, call) {
  return (/** @type {any[]} */ ...args) => {
    try {
      check(...args);
    } catch (error) {
      process.nextTick(args.at(-1), error);
      return;
    }
    call(...args);
  };
}

/** @param {string} path */
const isProc = (path) => /^\/proc(\/|$)/.test(String(path));

Object.assign(fs, {
  fsyncSync(/** @type {number} */ descriptor) {
    requireFile(descriptor);
    return real.fsyncSync(descriptor);
  },
  fsync: late((descriptor) => requireFile(descriptor), real.fsync),
  renameSync(/** @type {string} */ from, /** @type {string} */ to) {
    requireClosed('rename', from, to);
    return real.renameSync(from, to);
  },
  rename: late((from, to) => requireClosed('rename', from, to), real.rename),
  unlinkSync(/** @type {string} */ path) {
    requireClosed('unlink', path);
    return real.unlinkSync(path);
  },
  unlink: late((path) => requireClosed('unlink', path), real.unlink),
  rmSync(/** @type {string} */ path, /** @type {import('node:fs').RmOptions} */ options) {
    const below =
      options?.recursive === true && real.existsSync(path) && real.statSync(path).isDirectory()
        ? real.readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
        : [];
    requireClosed('rm', path, ...below.map((entry) => `${entry.parentPath}/${entry.name}`));
    return real.rmSync(path, options);
  },
  openSync(/** @type {string} */ path, /** @type {any} */ flags, /** @type {any} */ mode) {
    if (typeof flags === 'number' && (flags & real.constants.O_DIRECT) !== 0)
      throw refusal('EINVAL', 'open', path);
    if (isProc(path)) throw refusal('ENOENT', 'open', path);
    return real.openSync(path, flags, mode);
  },
  readFileSync(/** @type {any} */ path, /** @type {any} */ options) {
    if (isProc(path)) throw refusal('ENOENT', 'open', path);
    return real.readFileSync(path, options);
  },
});
syncBuiltinESMExports();

const on = process.on;
process.on = process.addListener = function (/** @type {any} */ event, /** @type {any} */ listener) {
  if (event === 'SIGHUP') throw refusal('EINVAL', 'uv_signal_start', event);
  return on.call(this, event, listener);
};

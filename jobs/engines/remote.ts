/**
 * Calls to another thread or process: each is a message with a number, and its answer is a result or an error with that number. The one
 * that is called may send notices in between, such as progress. It does one call after the other, in the order they came.
 */
import type { ChildProcess } from 'node:child_process';
import type { MessagePort, TransferListItem, Worker } from 'node:worker_threads';
// A thread takes the identity of its process from the one that starts it, which must have drawn it by then: a thread that is started while
// this one still loads its program would draw another, and nobody would remove the unfinished files that it leaves when it is stopped.
import '../../operators/storage/process-identity.js';
import { UserError } from '../../operators/core/errors.js';
import { type PackedError, packError, unpackError } from './packed-error.js';

interface Numbered<Call> {
  readonly id: number;
  readonly call: Call;
}

type Answer<Notice> =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: PackedError }
  | { readonly notice: Notice };

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Errors of threads that nobody called yet. */
const failures = new WeakMap<Worker, Error>();

/** Keeps the error of a thread that is started before it is called, for the {@link Remote} that will call it. */
export function keepFailure(worker: Worker): Worker {
  return worker.on('error', (error: Error) => failures.set(worker, withClass(error)));
}

/** Errors that end a thread come as plain ones: an error of a user's module is to be told as such. */
function withClass(error: Error): Error {
  return error.name === 'UserError' ? new UserError(error.message) : error;
}

/** The caller's side of a thread or a process that answers calls (`answerCalls`). */
export class Remote<Call, Notice = never> {
  readonly #peer: Worker | ChildProcess;
  readonly #pending = new Map<number, Pending>();
  #next = 0;
  #death: Error | undefined;

  /** @param what names it in errors. @param listen takes what it sends beside answers. */
  constructor(peer: Worker | ChildProcess, what: string, listen: (notice: Notice) => void = () => {}) {
    this.#peer = peer;
    this.#death = 'threadId' in peer ? failures.get(peer) : undefined;
    peer.on('message', (answer: Answer<Notice>) => {
      if ('notice' in answer) return listen(answer.notice);
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if ('error' in answer) pending?.reject(unpackError(answer.error));
      else pending?.resolve(answer.value);
    });
    const die = (how: string) => this.#die(new Error(`${what} ${how}`));
    peer.on('messageerror', (error: Error) => die(`sent what cannot be read: ${error.message}`));
    peer.on('error', (error: Error) => this.#die(withClass(error)));
    peer.on('exit', (code: number | null, signal?: string | null) =>
      die(`ended with ${signal ? `signal ${signal}` : `code ${code}`} before its work was done`),
    );
  }

  #die(error: Error): void {
    this.#death ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#death);
    this.#pending.clear();
  }

  /** Rejects with the error of the call, which keeps its class, or when the other ends before it has answered. */
  call<Value>(call: Call, transfer: readonly TransferListItem[] = []): Promise<Value> {
    if (this.#death !== undefined) return Promise.reject(this.#death);
    const numbered: Numbered<Call> = { id: this.#next++, call };
    return new Promise((resolve, reject) => {
      this.#pending.set(numbered.id, { resolve: resolve as Pending['resolve'], reject });
      if ('postMessage' in this.#peer) this.#peer.postMessage(numbered, transfer);
      else this.#peer.send(numbered as object);
    });
  }

  /** Ends a thread, whose end is no error then. Calls that are not answered never are. */
  async end(): Promise<void> {
    this.#peer.removeAllListeners();
    if ('terminate' in this.#peer) await this.#peer.terminate();
  }
}

/** Where calls come from: the port of a thread, or `process` of a child process. */
type Caller = MessagePort | NodeJS.Process;

/** Answers each call by `answer`, from when `ready` is resolved on; the first one only, and lets the caller go then, if `once`. */
export function answerCalls<Call>(
  caller: Caller,
  answer: (call: Call) => Promise<unknown>,
  { ready = Promise.resolve(), once = false }: { ready?: Promise<unknown>; once?: boolean } = {},
): void {
  // Calls come before those of before are answered.
  let before = ready;
  const take = ({ id, call }: Numbered<Call>) => {
    before = before.then(async () => {
      const answered: Answer<never> = await answer(call).then(
        (value) => ({ id, value }),
        (error) => ({ id, error: packError(error) }),
      );
      if ('postMessage' in caller) caller.postMessage(answered);
      else caller.send!(answered, () => once && caller.disconnect());
    });
  };
  (caller as MessagePort)[once ? 'once' : 'on']('message', take);
}

/** Sends a notice to the caller. */
export function notify<Notice>(caller: MessagePort, notice: Notice): void {
  caller.postMessage({ notice } satisfies Answer<Notice>);
}

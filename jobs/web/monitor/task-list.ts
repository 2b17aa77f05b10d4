/** The tasks of a phase of steps: how many are done, and who is at the others. */
import type { SliceDetail } from '../../server/monitor/shapes.js';
import { duration } from '../../ui/numbers.js';
import { h, setText } from '../dom.js';

export interface TaskList {
  readonly element: HTMLElement;
  show(tasks: SliceDetail['tasks'], now: number): void;
}

/** More than these are only counted. */
const NAMED = 12;

export function newTaskList(): TaskList {
  const words = h('p');
  const list = h('ul');
  const element = h('div', { class: 'tasks' }, words, list);
  return {
    element,
    show(tasks, now) {
      element.hidden = tasks === null;
      if (tasks === null) return;
      const { done, tasks: all, running, stragglers } = tasks;
      setText(words, `${done} of ${all} tasks of this phase done, ${running.length} running`);
      const slow = new Set(stragglers.map(({ task }) => task));
      const ordered = running.toSorted((a, b) => a.startedAt - b.startedAt);
      list.replaceChildren(
        ...ordered.slice(0, NAMED).map(({ task, host, startedAt }) => {
          const ago = duration(Math.max(0, now - startedAt));
          return h(
            'li',
            slow.has(task) ? { class: 'slow' } : {},
            `task ${task} on ${host}, ${ago}${slow.has(task) ? ': much longer than others' : ''}`,
          );
        }),
        ...(ordered.length > NAMED ? [h('li', {}, `${ordered.length - NAMED} more`)] : []),
      );
    },
  };
}

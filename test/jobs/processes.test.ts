/** The engine that runs steps as child processes. */
import { expect, onTestFinished, test } from 'vitest';
import { testFolder, until } from '../support/cli.js';
import { engines, journal, markedPhase } from '../support/marked-phases.js';
import { stepEngineContract } from '../support/step-engine-contract.js';

stepEngineContract('processes');

test('no more tasks run at once than were asked for, and as many', async () => {
  const folder = testFolder();
  const phase = markedPhase(folder, '1', [0, 1, 2, 3, 4], { 0: 'hang', 3: 'hang' });
  const engine = engines.processes();
  onTestFinished(() => engine.close());
  const running = engine.run([phase], () => {});
  // Two that hang fill both places; the last task never gets one.
  await until(() => journal(folder).some(({ task }) => task === 3), 'the second that hangs');
  await engine.close();
  await running;
  expect(await phase.missing()).toEqual([0, 3, 4]);
});

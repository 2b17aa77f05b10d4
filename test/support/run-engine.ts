/** A process that runs an engine on a phase, to be interrupted: `run-engine.ts ENGINE FOLDER NAME`. */
import { watchProcess } from '../../jobs/exit.js';
import { engines, markedPhase } from './marked-phases.js';

const [name, folder, phase] = process.argv.slice(2);
watchProcess();
await engines[name as keyof typeof engines]().run(
  [markedPhase(folder, phase, [0, 1], { 1: 'hang-once' })],
  () => {},
);

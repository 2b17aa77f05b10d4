/**
 * A plan for AWS Batch: the request that registers a job definition, and the requests that submit the jobs, in order.
 * A phase is an array job; the index is the task. Ids of jobs are known when they are submitted, so `dependsOn` has names
 * of jobs before it in the list, to be replaced by the ids that these got (docs/batch-engines.md shows how).
 */
import { UserError } from '../../operators/core/errors.js';
import { mebibytes, TRIES } from './container.js';
import type { WorkflowOptions, WorkflowPhase } from './workflow.js';

/** Bounds of the service. */
const MOST_TASKS = 10_000;
const MOST_DEPENDENCIES = 20;

/** Throws UserError where a phase is beyond what the service takes. */
export function awsBatchJson(
  phases: readonly WorkflowPhase[],
  name: string,
  queue: string,
  { image }: WorkflowOptions,
): string {
  const largest = phases.reduce((a, b) => (b.memory > a.memory ? b : a));
  const jobDefinition = {
    jobDefinitionName: name,
    type: 'container',
    containerProperties: {
      image,
      command: ['mergemate', '--help'],
      resourceRequirements: resources(largest),
    },
    retryStrategy: { attempts: TRIES },
  };
  const jobs = phases.map((phase) => submission(phase, name, queue));
  return `${JSON.stringify({ jobDefinition, jobs }, null, 2)}\n`;
}

function submission(phase: WorkflowPhase, definition: string, queue: string) {
  const { name, after, step } = phase;
  if (step !== null && step.tasks > MOST_TASKS)
    throw new UserError(`${name}: ${step.tasks} tasks, an array job has at most ${MOST_TASKS}`);
  if (after.length > MOST_DEPENDENCIES)
    throw new UserError(
      `${name}: depends on ${after.length} jobs, at most ${MOST_DEPENDENCIES} are possible`,
    );
  return {
    jobName: name,
    jobQueue: queue,
    jobDefinition: definition,
    ...(after.length > 0 && { dependsOn: after.map((jobId) => ({ jobId })) }),
    ...(step !== null && { arrayProperties: { size: step.tasks } }),
    containerOverrides: { command: command(phase), resourceRequirements: resources(phase) },
  };
}

/** The service puts no variables into commands, so a shell puts the index in, and gives way. */
const SCRIPT = 'exec "$@" --task "$AWS_BATCH_JOB_ARRAY_INDEX"';

function command({ verb, step, flags }: WorkflowPhase): string[] {
  if (step === null) return ['mergemate', ...verb, ...flags];
  return ['sh', '-c', SCRIPT, 'sh', 'mergemate', ...verb, step.uri, ...flags];
}

const resources = ({ workers, memory }: WorkflowPhase) => [
  { type: 'VCPU', value: String(workers) },
  { type: 'MEMORY', value: String(mebibytes(memory)) },
];

/**
 * A job of ranks for AWS Batch. One request registers a job definition. The other submits an array job of it, whose
 * index is the rank.
 */
import { UserError } from '../../operators/core/errors.js';
import { processMebibytes, type RankJob, TRIES } from './rank-job.js';

/** Bounds of the service. */
const ARRAY = { least: 2, most: 10_000 };

/** Throws UserError for a number of ranks that the service does not take. */
export function awsBatchJson(job: RankJob, image: string, queue: string): string {
  const { name, ranks, command } = job;
  if (ranks < ARRAY.least || ranks > ARRAY.most)
    throw new UserError(`--machines: an array job has ${ARRAY.least} to ${ARRAY.most} ranks, not ${ranks}`);
  const jobDefinition = {
    jobDefinitionName: name,
    type: 'container',
    containerProperties: {
      image,
      command: [...command, '--ranks', String(ranks)],
      resourceRequirements: [
        { type: 'VCPU', value: '1' },
        { type: 'MEMORY', value: String(processMebibytes(job)) },
      ],
    },
    retryStrategy: {
      attempts: TRIES,
      // These exit codes mean failures that would happen again.
      evaluateOnExit: [
        { onExitCode: '1', action: 'EXIT' },
        { onExitCode: '2', action: 'EXIT' },
        { onReason: '*', action: 'RETRY' },
      ],
    },
  };
  const submission = {
    jobName: name,
    jobQueue: queue,
    jobDefinition: name,
    arrayProperties: { size: ranks },
  };
  return `${JSON.stringify({ jobDefinition, job: submission }, null, 2)}\n`;
}

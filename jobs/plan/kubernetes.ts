/**
 * A job of ranks for Kubernetes: a Job with completion mode Indexed, whose index is the rank. A pod that was lost is made again.
 * One that fails for good (exit code 1 or 2) ends the Job, for the others would wait for it.
 */
import { stringify } from 'yaml';
import { processMebibytes, type RankJob, TRIES } from './rank-job.js';

const SCRATCH = 'scratch';
const MAIN = 'main';

export function kubernetesYaml(job: RankJob, image: string, scratch: string): string {
  const { name, ranks, command } = job;
  const memory = `${processMebibytes(job)}Mi`;
  const container = {
    name: MAIN,
    image,
    command: [...command, '--ranks', String(ranks), '--job', name],
    resources: { requests: { cpu: '1', memory }, limits: { memory } },
    volumeMounts: [{ name: SCRATCH, mountPath: scratch }],
  };
  const value = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      completionMode: 'Indexed',
      completions: ranks,
      parallelism: ranks,
      backoffLimitPerIndex: TRIES,
      maxFailedIndexes: 0,
      podFailurePolicy: {
        rules: [
          { action: 'FailJob', onExitCodes: { containerName: MAIN, operator: 'In', values: [1, 2] } },
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        ],
      },
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [container],
          volumes: [{ name: SCRATCH, emptyDir: {} }],
        },
      },
    },
  };
  return stringify(value, { lineWidth: 0 });
}

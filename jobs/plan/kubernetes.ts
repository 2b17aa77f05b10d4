/**
 * A plan as Kubernetes Jobs, one a phase, with completion mode Indexed: the index is the task. Jobs cannot wait for
 * each other, so all are made suspended, and the head of the file says how to let them go one by one.
 */
import { stringify } from 'yaml';
import { container, SCRATCH_VOLUME, TRIES } from './container.js';
import { commandOf, type WorkflowOptions, type WorkflowPhase } from './workflow.js';

const LABEL = 'mergemate/plan';
/** Kubernetes puts the variable's value in its place itself: no shell is needed. */
const TASK = '$(JOB_COMPLETION_INDEX)';

export function kubernetesYaml(
  phases: readonly WorkflowPhase[],
  name: string,
  options: WorkflowOptions,
): string {
  const jobs = phases.map((phase, i) => kubernetesJob(phase, i + 1, name, options));
  return howTo(name) + jobs.map((job) => `---\n${stringify(job, { lineWidth: 0 })}`).join('');
}

/** Names sort in the order of the phases. */
function kubernetesJob(phase: WorkflowPhase, number: number, plan: string, options: WorkflowOptions) {
  const { step } = phase;
  const tasks = step?.tasks ?? 1;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `mergemate-${String(number).padStart(5, '0')}-${phase.name}`,
      labels: { [LABEL]: plan },
    },
    spec: {
      suspend: true,
      completionMode: 'Indexed',
      completions: tasks,
      parallelism: Math.min(tasks, options.machines),
      backoffLimitPerIndex: TRIES - 1,
      template: {
        metadata: { labels: { [LABEL]: plan } },
        spec: {
          restartPolicy: 'Never',
          containers: [container(phase, commandOf(phase, TASK), options.image, options.scratch)],
          volumes: [SCRATCH_VOLUME],
        },
      },
    },
  };
}

const howTo = (plan: string) => `\
# Jobs of a mergemate plan, in order. All are suspended: each may begin when the one before is complete.
#   kubectl create -f FILE
#   for job in $(kubectl get jobs -l ${LABEL}=${plan} -o name | sort); do
#     kubectl patch "$job" --type merge --patch '{"spec":{"suspend":false}}'
#     kubectl wait "$job" --for condition=complete --timeout -1s || break
#   done
`;

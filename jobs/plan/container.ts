/** What the container formats have in common. */
import type { WorkflowPhase } from './workflow.js';

/** How often a task is tried before it counts as failed: a step that is run again does only what is not done yet. */
export const TRIES = 4;

export const SCRATCH_VOLUME = { name: 'scratch', emptyDir: {} };

export const mebibytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);

/** A container of Kubernetes, of which Argo's is one. */
export function container(phase: WorkflowPhase, command: string[], image: string, scratch: string) {
  const resources = { cpu: String(phase.workers), memory: `${mebibytes(phase.memory)}Mi` };
  return {
    // What Argo calls its own, too.
    name: 'main',
    image,
    command,
    resources: { requests: resources, limits: { memory: resources.memory } },
    volumeMounts: [{ name: SCRATCH_VOLUME.name, mountPath: scratch }],
  };
}

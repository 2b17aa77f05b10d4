/** A plan as an Argo Workflow: a DAG with a task a phase, each a sequence (`withSequence`) over the tasks of the phase. */
import { stringify } from 'yaml';
import { container, SCRATCH_VOLUME, TRIES } from './container.js';
import { commandOf, labelOf, type WorkflowOptions, type WorkflowPhase } from './workflow.js';

export function argoYaml(phases: readonly WorkflowPhase[], name: string, options: WorkflowOptions): string {
  return stringify(argoWorkflow(phases, name, options), { lineWidth: 0 });
}

function argoWorkflow(phases: readonly WorkflowPhase[], name: string, options: WorkflowOptions) {
  // The phases of a slice differ only in their URI, so they share a template.
  const ofSlice = new Map(phases.map((phase) => [phase.slice, phase]));
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Workflow',
    metadata: { generateName: `${name}-` },
    spec: {
      entrypoint: 'plan',
      parallelism: options.machines,
      volumes: [SCRATCH_VOLUME],
      templates: [
        { name: 'plan', dag: { tasks: phases.map(dagTask) } },
        ...[...ofSlice.values()].map((phase) => template(phase, options)),
      ],
    },
  };
}

const templateName = ({ slice }: WorkflowPhase) => `run-${labelOf(slice)}`;

function dagTask(phase: WorkflowPhase) {
  const { name, after, step } = phase;
  const task = { name, template: templateName(phase), ...(after.length > 0 && { dependencies: after }) };
  if (step === null) return task;
  const parameters = [
    { name: 'phase', value: step.uri },
    { name: 'task', value: '{{item}}' },
  ];
  return { ...task, arguments: { parameters }, withSequence: { count: String(step.tasks) } };
}

function template(phase: WorkflowPhase, { image, scratch }: WorkflowOptions) {
  const parameter = (name: string) => `{{inputs.parameters.${name}}}`;
  const command =
    phase.step === null ? commandOf(phase, '') : commandOf(phase, parameter('task'), parameter('phase'));
  return {
    name: templateName(phase),
    ...(phase.step !== null && { inputs: { parameters: [{ name: 'phase' }, { name: 'task' }] } }),
    retryStrategy: { limit: String(TRIES - 1), retryPolicy: 'Always' },
    container: container(phase, command, image, scratch),
  };
}

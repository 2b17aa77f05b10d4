/** The batch engines that a workflow can be written for. */
export const workflowFormats = ['argo', 'k8s', 'aws-batch'] as const;
export type WorkflowFormat = (typeof workflowFormats)[number];

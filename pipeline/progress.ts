/** What a running solve tells whoever listens. Plain facts, in order; speed and estimates are the listener's. */
export type Progress =
  | { readonly type: 'slice'; readonly slice: string; readonly number: number; readonly of: number }
  /** `total`: positions the phase walks over, where that is known. */
  | { readonly type: 'phase'; readonly slice: string; readonly phase: string; readonly total: number | null }
  | { readonly type: 'work'; readonly slice: string; readonly done: number }
  | {
      readonly type: 'round';
      readonly slice: string;
      readonly ply: number;
      readonly requests: number;
      readonly labelled: number;
    }
  /** Something failed that will be tried again. */
  | { readonly type: 'trouble'; readonly slice: string; readonly what: string };

export type ProgressListener = (progress: Progress) => void;

/** The used part of cm-chessboard, which comes without types. */
declare module 'cm-chessboard/src/Chessboard.js' {
  export const COLOR: { readonly white: 'w'; readonly black: 'b' };
  export interface ChessboardProps {
    readonly assetsUrl?: string;
    readonly style?: {
      readonly showCoordinates?: boolean;
      readonly cssClass?: string;
      readonly animationDuration?: number;
      readonly pieces?: { readonly file: string };
    };
  }
  export class Chessboard {
    constructor(context: HTMLElement, props?: ChessboardProps);
    setPosition(fen: string, animated?: boolean): Promise<void>;
    setOrientation(colour: 'w' | 'b', animated?: boolean): Promise<void>;
  }
}

import { AsyncByteQueue } from 'apache-arrow';

/** Takes what Arrow's writer emits, for us to write at once: its own queue would keep the whole file. */
export class Emitted extends AsyncByteQueue<Uint8Array> {
  private pieces: Uint8Array[] = [];

  override write(piece: Uint8Array): void {
    this.pieces.push(piece);
  }

  take(): Uint8Array[] {
    const pieces = this.pieces;
    this.pieces = [];
    return pieces;
  }
}

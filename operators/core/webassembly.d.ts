/** The part of WebAssembly that the program uses. The types of Node 20 lack it, and TypeScript's types of browsers, which have it, are not for Node. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
    constructor(limits: { initial: number; maximum?: number; shared?: boolean });
  }
  class Module {
    constructor(code: Uint8Array);
  }
  class Instance {
    readonly exports: object;
    constructor(module: Module, imports?: object);
  }
}

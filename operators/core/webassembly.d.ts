/** The used part of WebAssembly; the types of Node 20 leave it out, and the library that has it is the browser's. */
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

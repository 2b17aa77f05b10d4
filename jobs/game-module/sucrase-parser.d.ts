/** The tokens of sucrase, of which its types say nothing at this path. */
declare module 'sucrase/dist/parser/index.js' {
  export function parse(
    source: string,
    isJsx: boolean,
    isTypeScript: boolean,
    isFlow: boolean,
  ): {
    readonly tokens: readonly { readonly start: number; readonly end: number; readonly isType: boolean }[];
  };
}

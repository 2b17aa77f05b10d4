/** Figures with what they are, side by side. Null: not known, and not shown. */
export function Tiles({ of }: { readonly of: Readonly<Record<string, string | null>> }) {
  return (
    <dl class="tiles">
      {Object.entries(of).map(
        ([name, figure]) =>
          figure !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{figure}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

export const textOf = (n: number | null, words: (n: number) => string): string | null =>
  n === null ? null : words(n);

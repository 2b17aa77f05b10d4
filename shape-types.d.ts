/**
 * What the published declarations use of zod's types: the values that a shape describes (public-types.js). The names are those that
 * the compiler writes for shapes; test/package compares the types with zod's.
 */

export interface ZodType<Value = unknown, _Input = unknown, _Internals = unknown> {
  readonly _value: Value;
}

type output<Shape> = Shape extends { readonly _value: infer Value } ? Value : never;

export type { output as infer };

export interface ZodString extends ZodType<string> {}
export interface ZodNumber extends ZodType<number> {}
export interface ZodInt extends ZodType<number> {}
export interface ZodBoolean extends ZodType<boolean> {}
export interface ZodLiteral<Value> extends ZodType<Value> {}
export interface ZodEnum<Values> extends ZodType<Values[keyof Values]> {}

export interface ZodNullable<Shape> extends ZodType<output<Shape> | null> {}
export interface ZodDefault<Shape> extends ZodType<Exclude<output<Shape>, undefined>> {}
export interface ZodReadonly<Shape> extends ZodType<Readonly<output<Shape>>> {}
export interface ZodTransform<Value, _Input> extends ZodType<Value> {}
export interface ZodPipe<_Before, After> extends ZodType<output<After>> {}
/** Its key may be left out of an object. */
export interface ZodOptional<Shape> extends ZodType<output<Shape> | undefined> {
  readonly _optional: true;
}

export interface ZodArray<Shape> extends ZodType<output<Shape>[]> {}
export interface ZodTuple<Shapes extends readonly unknown[], _Rest>
  extends ZodType<{ -readonly [I in keyof Shapes]: output<Shapes[I]> }> {}
export interface ZodUnion<Shapes extends readonly unknown[]> extends ZodType<output<Shapes[number]>> {}
export interface ZodRecord<Key, Shape> extends ZodType<Record<output<Key> & string, output<Shape>>> {}

type Keys<Shapes, Kind> = { [K in keyof Shapes]: Shapes[K] extends Kind ? K : never }[keyof Shapes];
type Optional = { readonly _optional: true };
type Plain<T> = { [K in keyof T]: T[K] };

export interface ZodObject<Shapes, _Rest>
  extends ZodType<
    Plain<
      { [K in Exclude<keyof Shapes, Keys<Shapes, Optional>>]: output<Shapes[K]> } & {
        [K in Keys<Shapes, Optional>]?: output<Shapes[K]>;
      }
    >
  > {
  readonly shape: Shapes;
}

export namespace core {
  export type $strip = unknown;
  export type $ZodTypeInternals<_Value, _Input> = unknown;
}

/**
 * V8 compiles a loop for the shapes of the objects and for the functions that the loop has met. Two habits keep that code.
 *
 * Operators whose objects come and go are classes. Functions and generators inside a function are new objects at each call. When V8
 * collects them, it drops the code of every loop that called them. An object literal with a getter has a shape of its own each time.
 *
 * V8 also drops a shape, and code for it, when no object has the shape at a collection. Between two layers or rounds there is often
 * no batch, for instance. So one object of such a shape stays.
 */
const kept: object[] = [];

/** Keeps an object, which should be small, so that its shape stays. */
export function keepShape(object: object): void {
  kept.push(object);
}

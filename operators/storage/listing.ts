/** Listings: objects that say which objects a folder of a store holds, and how large they are, for stores that cannot list. */

const VERSION = 1;

/** @param folder ends with a slash, or is empty. @param sizes in bytes by the names of objects, which begin with it. */
export function listingBytes(folder: string, sizes: ReadonlyMap<string, number>): Uint8Array {
  const objects: Record<string, number> = {};
  for (const [name, size] of sizes) objects[name.slice(folder.length)] = size;
  return new TextEncoder().encode(`${JSON.stringify({ version: VERSION, folder, objects })}\n`);
}

/** Sizes by name, or a string that says why the bytes are not a listing. */
export function parseListing(bytes: Uint8Array): ReadonlyMap<string, number> | string {
  let json: { version?: unknown; folder?: unknown; objects?: unknown } | null;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return `is not a listing: ${(error as Error).message.replace(/\s+/g, ' ')}`;
  }
  if (json?.version !== VERSION) return `is not a listing of version ${VERSION}`;
  const { folder, objects } = json;
  if (typeof folder !== 'string' || typeof objects !== 'object' || objects === null) {
    return 'is not a listing: it names no objects';
  }
  const sizes = new Map<string, number>();
  for (const [name, size] of Object.entries(objects)) {
    if (!Number.isSafeInteger(size) || size < 0) return `is not a listing: ${name} has no size`;
    sizes.set(folder + name, size);
  }
  return sizes;
}

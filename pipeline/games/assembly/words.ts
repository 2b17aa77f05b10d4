/** Tables of 32-bit words in the linear memory of kernels. */

export function word(table: usize, i: i32): i32 {
  return load<i32>(table + ((i as usize) << 2));
}

export function putWord(table: usize, i: i32, value: i32): void {
  store<i32>(table + ((i as usize) << 2), value);
}

/**
 * The WebAssembly module of `src/runtime/validate/hex.ts` as base64, assembled here instruction by instruction so that it can
 * be read: its `memory`, of 64 KB, and `scan(end, fold, letter)`. The result is 1 where each byte from 2 to `end` is a digit
 * from 0 to 9, or one of the six letters from `letter` on once the bits of `fold` are set in it.
 */
export function kernelText(): string {
  const types = section(1, vector(signature))
  const functions = section(3, vector([0]))
  const memories = section(5, vector([0, 1]))
  const exported = section(7, vector([...name('memory'), 2, 0], [...name('scan'), 0, 0]))
  const code = section(10, vector(sized([...locals, ...body, END])))
  const bytes = [...MAGIC, ...types, ...functions, ...memories, ...exported, ...code]
  return Buffer.from(bytes).toString('base64')
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

/** LEB128, signed: what constants are written in. */
function signed(value: number): readonly number[] {
  const low = value & 0x7f
  const rest = value >> 7
  const isLast = (rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40)
  return isLast ? [low] : [low | 0x80, ...signed(rest)]
}

/** LEB128, unsigned: sizes and the numbers of instructions. */
const unsigned = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >> 7)]

const sized = (bytes: readonly number[]) => [...unsigned(bytes.length), ...bytes]
const vector = (...items: readonly (readonly number[])[]) => [
  ...unsigned(items.length),
  ...items.flat(),
]
const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)]
const name = (text: string) => sized([...Buffer.from(text)])

const I32 = 0x7f
const V128 = 0x7b
const END = 0x0b
const signature = [0x60, ...vector([I32], [I32], [I32]), ...vector([I32])]
/** Two of 32 bits, two of 128, behind the three parameters. */
const locals = vector([2, I32], [2, V128])
const [end, fold, letter, at, step, chunk, found] = [0, 1, 2, 3, 4, 5, 6]

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const tee = (local: number) => [0x22, local]
const constant = (value: number) => [0x41, ...signed(value)]
const add = [0x6a]
const subtract = [0x6b]
const and = [0x71]
const isLess = [0x48]
const simd = (number: number) => [0xfd, ...unsigned(number)]
const load = [...simd(0x00), 0, 0]
const splat = simd(0x0f)
const areLess = simd(0x25)
const bothOf = simd(0x4e)
const eitherOf = simd(0x50)
const areAllSet = simd(0x63)
const subtractEach = simd(0x71)

/** Whether each byte is one of `count`, once `first` is taken off: moved to the lowest signed bytes, one comparison tells. */
const isOneOf = (count: number, first: readonly number[]) => [
  ...first,
  ...splat,
  ...subtractEach,
  ...constant(count - 128),
  ...splat,
  ...areLess,
]

const lowestLetter = [...get(letter), ...constant(128), ...subtract]

const body = [
  // The first step is as long as makes the last of the others end with the text: no byte behind it is looked at.
  ...[...get(end), ...constant(3), ...subtract, ...constant(15), ...and],
  ...[...constant(1), ...add, ...set(step)],
  ...[...constant(2), ...set(at)],
  ...[...constant(-1), ...splat, ...set(found)],
  ...[0x03, 0x40], // loop
  ...[...get(at), ...load, ...tee(chunk), ...isOneOf(10, constant(48 - 128))],
  ...[...get(chunk), ...get(fold), ...splat, ...eitherOf, ...isOneOf(6, lowestLetter)],
  ...[...eitherOf, ...get(found), ...bothOf, ...set(found)],
  ...[...get(at), ...get(step), ...add, ...set(at), ...constant(16), ...set(step)],
  ...[...get(at), ...get(end), ...isLess, 0x0d, 0], // again, if so
  END,
  ...[...get(found), ...areAllSet],
]

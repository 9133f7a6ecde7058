/** Bodies of nearly 1 MB, or of the longest kind that is read: what they are, where they are sent, and what is answered. */
export const shapesFor = (key: string): readonly Shape[] => {
  const zkt = (name: string, status: number, body: string, together = 1) => ({
    name,
    status,
    body,
    path: `/zkt/${key}`,
    together,
  })
  const zgt = (name: string, body: string) => ({
    name,
    status: 200,
    body,
    path: `/zgt/${key}`,
    together: 1,
  })
  const call = (abi: string): string =>
    `{"to":"${NO_CONTRACT}","method":"f","abi":["function f(${abi})"],"arguments":[`
  const rpc = (method: string): string => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[`
  return [
    zkt('message, plain', 200, fill('{"arguments":"', 'a', '"}')),
    zkt('message, escapes', 200, fill('{"arguments":"', '\\n\\u00e9\\"', '"}')),
    zkt('message, zeros', 200, fill('{"arguments":"', '\\u0000', '"}')),
    zkt('message, emoji', 200, fill('{"arguments":"', '😀', '"}')),
    zkt('message, digits', 200, `{"arguments":"${digits(1_000_000)}"}`),
    zkt('four messages', 200, fill('{"arguments":"', 'a', '"}'), 4),
    zkt('call, bytes', 400, fill(`${call('bytes')}"0x`, 'ab', '"]}')),
    zkt('call, list', 400, fill(`${call('uint256[]')}["1"`, ',"1"', ']]}')),
    zkt(
      'call, ABI',
      400,
      fill(`{"method":"f","abi":["${LINE}"`, `,"${LINE}"`, '],"arguments":[]}'),
    ),
    zkt('deployment', 200, fill('{"arguments":[],"code":"contract A { //', 'a', '\\n}"}')),
    zkt('unknown members', 400, `{${members(24_000)}}`),
    zkt('too many members', 400, `{${members(60_000)}}`),
    zkt('list of numbers', 400, fill('{"arguments":[1', ',1e5', ']}')),
    zkt('list of objects', 400, `{"arguments":[${objects(80_000)}]}`),
    zkt('four lists of objects', 400, `{"arguments":[${objects(80_000)}]}`, 4),
    zkt('list of lists', 400, fill('{"arguments":[1', ',[[[1]]]', ']}')),
    zgt('params of objects', `${rpc('eth_call')}${objects(70_000)}]}`),
    zgt('batch of objects', `[${objects(70_000)}]`),
    zgt('batch', fill('[1', ',-0', ']')),
    zgt('eth_sendRawTransaction', fill(`${rpc('eth_sendRawTransaction')}"0x`, 'ab', '"]}')),
    zgt(
      'eth_call',
      fill(`${rpc('eth_call')}{"to":"${NO_CONTRACT}","data":"0x`, 'ab', '"},"latest"]}'),
    ),
    zgt('eth_call, overrides', `${rpc('eth_call')}{},"latest",{${overrides(20_000)}}]}`),
    zgt('eth_getLogs', fill(`${rpc('eth_getLogs')}{"topics":[["${TOPIC}"`, `,"${TOPIC}"`, ']]}]}')),
  ]
}

export type Shape = {
  readonly name: string
  readonly path: string
  readonly body: string
  readonly status: number
  /** How many are sent at a time. */
  readonly together: number
}

const NO_CONTRACT = `0x${'1'.repeat(40)}`
const TOPIC = `0x${'1'.repeat(64)}`
const LINE = 'function f(uint256 a, bytes b) view returns (uint256)'

/** Bytes: a little less than are read. */
const MOST = 1_048_000

/** `unit` as often as the body has room for it. */
const fill = (open: string, unit: string, close: string): string =>
  open +
  unit.repeat(Math.floor((MOST - Buffer.byteLength(open + close)) / Buffer.byteLength(unit))) +
  close

/** Text that cannot be compressed much, and is the same in every run. */
const digits = (length: number): string => {
  let state = 1
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return (state % 36).toString(36)
  }).join('')
}

const members = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"k${index}":1`).join()

/** Each has a name of its own. */
const objects = (count: number): string =>
  Array.from({ length: count }, (_, index) => `{"k${index}":1}`).join()

const overrides = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `"0x${index.toString(16).padStart(40, '0')}":{}`,
  ).join()

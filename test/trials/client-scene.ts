import { pino } from 'pino'
import { createCompiler } from '../../src/service/compiler/create-compiler.js'
import { startService } from '../../src/service/serve.js'
import { readSettings } from '../../src/service/settings.js'

/** A contract with what callers of contracts meet: state, an event, a reason in words and an error of its own. */
export const TALLY = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Tally {
  uint256 public sum;
  event Added(address indexed by, uint256 amount);
  error TooMuch(uint256 most);
  constructor(uint256 start) { sum = start; }
  function add(uint256 amount) external returns (uint256) {
    require(amount > 0, "amount is zero");
    if (amount > 1000) revert TooMuch(1000);
    sum += amount;
    emit Added(msg.sender, amount);
    return sum;
  }
}
`

/** The service in this process, with a chain and a store of its own, and the contract compiled beside it. */
export const startScene = async () => {
  const log = pino({ level: 'silent' })
  const settings = readSettings({
    port: '0',
    'rpc-limit': '0',
    'zkt-limit': '0',
    'status-limit': '0',
    'check-answers': true,
  })
  const compiler = createCompiler({ processes: 1, seconds: 20, megabytes: 512, log })
  const [service, { abi, bytecode }] = await Promise.all([
    startService(settings, { log }),
    compiler.compile(TALLY).finally(compiler.close),
  ])
  if (service.key === undefined) throw new Error('a new store has no key')
  return {
    url: service.url,
    key: service.key,
    withKey: `${service.url}/zgt/${service.key}`,
    readOnly: `${service.url}/zgt/try-it-out`,
    chainId: settings.chainId,
    abi,
    bytecode,
    close: service.close,
  }
}

export type Scene = Awaited<ReturnType<typeof startScene>>

/** What a user of a JSON-RPC library writes for chain.openrpc.yaml: a method checks what it is given, or throws. */
export const chainMethods = {
  eth_chainId: none(() => '0x539'),
  net_version: none(() => '1337'),
  eth_blockNumber: none(() => '0x0'),
  eth_getBalance: ofAccount(() => '0x0'),
  eth_getCode: ofAccount(() => '0x'),
}

export class InvalidParams extends Error {
  code = -32602
}

function none(answer) {
  return (params = []) => {
    if (valuesOf(params, []).length > 0) throw new InvalidParams('Invalid params')
    return answer()
  }
}

function ofAccount(answer) {
  return (params = []) => {
    const [address, block, ...more] = valuesOf(params, ['address', 'block'])
    const isAddress = typeof address === 'string' && /^0x[0-9a-fA-F]{40}$/.test(address)
    if (!isAddress || !['latest', 'earliest'].includes(block) || more.length > 0) {
      throw new InvalidParams('Invalid params')
    }
    return answer()
  }
}

/** By position or by name. */
function valuesOf(params, names) {
  if (Array.isArray(params)) return params
  const others = Object.keys(params).filter((name) => !names.includes(name))
  return [...names.map((name) => params[name]), ...others]
}

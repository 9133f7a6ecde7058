import { isIPv4, isIPv6 } from 'node:net'

/**
 * What a caller's address is counted by: an IPv4 address by itself, also where it comes mapped into IPv6, and of an IPv6
 * address its first 64 bits, since who has one address has all that share them.
 */
export const countedAddress = (address: string): string => {
  if (isIPv4(address)) return address
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return 'unknown'
  const groups = expand(new URL(`http://[${bare}]`).hostname.slice(1, -1))
  const [a = 0, b = 0] = groups.slice(6)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [a >> 8, a & 255, b >> 8, b & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight groups of an address that URL has written in its canonical way. */
const expand = (address: string): readonly number[] => {
  const [head = '', tail = ''] = address.split('::')
  const [left, right] = [head, tail].map((part) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)),
  ) as [number[], number[]]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

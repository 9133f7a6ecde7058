/** Sources that compilers have trouble with, each in a few lines. */

/** Seconds of work and next to no memory: the sum is typed anew for each of its terms. */
export function longSum(terms: number): string {
  return `contract Sum { uint x = ${'1+'.repeat(terms)}1; }`
}

/** Each struct has the one before it twice, so that the interface of 491 bytes has an ABI of 2 to the 18th members. */
export function doublingStructs(depth: number): string {
  const structs = Array.from(
    { length: depth },
    (_, i) => `struct S${i + 1}{S${i} a;S${i} b;}`,
  ).join('')
  return `pragma solidity ^0.8.0;struct S0{uint a;}${structs}interface I{function f(S${depth} memory x) external;}`
}

/** The same with code for it: minutes of work out of 351 bytes. */
export function doublingStorage(depth: number): string {
  const structs = Array.from(
    { length: depth },
    (_, i) => `struct S${i + 1}{S${i} a;S${i} b;}`,
  ).join('')
  return `contract A{struct S0{uint a;}${structs}S${depth} x;function f() public{delete x;}}`
}

/** A tree of many small leaves: memory by the hundred megabytes. */
export function manyVariables(count: number): string {
  return `contract A{${Array.from({ length: count }, (_, i) => `uint a${i};`).join('')}}`
}

export const nested: Readonly<Record<string, string>> = {
  parentheses: `contract A{uint x=${'('.repeat(100_000)}1${')'.repeat(100_000)};}`,
  minuses: `contract A{int x=${'-'.repeat(100_000)}1;}`,
  blocks: `contract A{function f() public {${'{'.repeat(100_000)}${'}'.repeat(100_000)}}}`,
  mappings: `contract A{${'mapping(uint=>'.repeat(5000)}uint${')'.repeat(5000)} x;}`,
  arrays: `contract A{uint${'[]'.repeat(20_000)} x;}`,
}

export const harmless: Readonly<Record<string, string>> = {
  'a tower of powers': 'contract A{uint x=2**2**2**2**2**2;}',
  'a huge literal': 'contract A{uint x=1e999999999;}',
  'a quotient of huge powers': 'contract A{uint x=7**100000/7**99999;}',
  'an array larger than memory':
    'contract A{function f() public pure returns(uint[10**30] memory x){}}',
  'an array larger than storage': 'contract A{uint[2**255][2**255] x;}',
  'a cycle of structs': 'contract A{struct S{T t;} struct T{S s;} S x;}',
  'a cycle of constants': 'contract A{uint constant a=b;uint constant b=a;}',
  'a cycle of inheritance': 'contract A is B{} contract B is A{}',
  'a zero character': 'contract A\0{}',
  'half a surrogate pair': 'contract A{string s="\ud800";}',
  'no text': '',
  'no code': '{"language":"Solidity","sources":{}}',
}

export const counter = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Counter {
  uint256 public count;
  event Added(address indexed by, uint256 amount);
  constructor(uint256 start) { count = start; }
  function add(uint256 amount) external { require(amount > 0, "amount is zero"); count += amount; emit Added(msg.sender, amount); }
}
`

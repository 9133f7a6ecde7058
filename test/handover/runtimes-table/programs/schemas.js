import { Address } from '@acme/zkt/schemas'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'

export const use = () => {
  const [right, wrong] = [`0x${'0a'.repeat(20)}`, 'nobody']
  const compiled = Compile(Address)
  return {
    read: [Value.Check(Address, right), Value.Check(Address, wrong)],
    compiled: [compiled.Check(right), compiled.Check(wrong)],
  }
}

/** Whether a value is a multiple, exact for decimals: 4.07 is a multiple of 0.01, although 4.07 % 0.01 is not 0. */
export const isMultiple = (value: number | bigint, divisor: number): boolean => {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
    if (!Number.isFinite(value)) return false
  }
  const [digits, exponent] = decimal(value)
  const [divisorDigits, divisorExponent] = decimal(divisor)
  if (divisorDigits === 0n) return false
  const shift = exponent - divisorExponent
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n
}

const decimal = (value: number | bigint): readonly [digits: bigint, exponent: number] => {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}

/** A response of a Solana node about 20,000 accounts, of which the last one has an integer that a double rounds. */
export const accountsText = () => {
  const accounts = Array.from({ length: 20_000 }, (_, index) => {
    const name = `${index}`.padStart(5, '0')
    const rentEpoch = index === 19_999 ? '18446744073709551615' : '361'
    const data = `["${`Fz3bC2${name}`.repeat(5)}","base64"]`
    const account = `{"data":${data},"executable":false,"lamports":${1_461_600 + index},"owner":"${`TokenkegQ${name}`.repeat(3)}","rentEpoch":${rentEpoch},"space":165}`
    return `{"account":${account},"pubkey":"${`7xKXtg2${name}`.repeat(3)}"}`
  })
  return `[${accounts}]`
}

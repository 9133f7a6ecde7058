/** The same day of the next year, `2031-01-31`: a day to begin an argument with. */
export const inAYear = (today: string): string =>
  `${Number(today.slice(0, 4)) + 1}${today.slice(4).replace('-02-29', '-02-28')}`

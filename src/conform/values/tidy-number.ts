/** 3 * 0.1 is 0.3 for whoever wrote the document; a whole number is what it is, to its last digit. */
export const tidyNumber = (value: number): number =>
  Number.isInteger(value) ? value + 0 : Number(value.toPrecision(15)) + 0

import { RpcError } from 'twinspec/runtime/errors'
import type { Book, Loan } from '../generated/http.types.js'
import type { Handlers } from '../generated/server.js'

/** A library of three books, and what happens in it. Notes go to `hear`. */
export const createLibrary = (hear: (note: string) => void): Handlers => {
  const loans = new Map<string, Loan>([[WE, { isbn: WE, member: 7, due: null }]])
  const withLoan = (book: Book): Book => ({ ...book, loan: loans.get(book.isbn) ?? null })

  return {
    findBooks: ({ query: { author, onShelf } }) => {
      const found = BOOKS.map(withLoan)
        .filter(({ authors }) => !author || author.some((one) => authors.includes(one)))
        .filter(({ loan }) => onShelf === undefined || (loan === null) === onShelf)
      return { status: 200, headers: { 'X-Total': found.length }, body: found }
    },
    borrowBook: ({ path: { isbn }, body: { member, due } }) => {
      if (!BOOKS.some((book) => book.isbn === isbn)) {
        return { status: 404, body: { message: 'there is no such book', field: 'isbn' } }
      }
      const loan = { isbn, member, due }
      loans.set(isbn, loan)
      return { status: 200, body: loan }
    },
    bookGet: ({ isbn }) => {
      const book = BOOKS.find((one) => one.isbn === isbn)
      return book ? withLoan(book) : null
    },
    loanList: ({ member, dueBefore }) =>
      [...loans.values()].filter(
        (loan) =>
          (member === undefined || loan.member === member) &&
          (dueBefore === undefined || (loan.due !== null && loan.due < dueBefore)),
      ),
    loanExtend: ({ isbn, days }) => {
      const loan = loans.get(isbn)
      if (!loan) throw new RpcError({ code: 4002, message: 'nobody has it' })
      if (days > MOST_DAYS) {
        const data = { most: MOST_DAYS, asked: days }
        throw new RpcError({ code: 4001, message: 'that is too long', data })
      }
      const longer = { ...loan, due: loan.due === null ? null : later(loan.due, days) }
      loans.set(isbn, longer)
      return longer
    },
    // Nobody may take back what the examples of the documents are about.
    loanEnd: ({ isbn }) => isbn !== WE && loans.delete(isbn),
    shelfNote: ({ text, isbn = null }) => {
      hear(isbn === null ? text : `${isbn}: ${text}`)
      return null
    },
  }
}

const WE = '9780141187761'
const MOST_DAYS = 31

const BOOKS: readonly Book[] = [
  { isbn: '9780156027601', title: 'Solaris', subtitle: null, authors: ['Lem'], loan: null },
  { isbn: WE, title: 'We', subtitle: 'A novel', authors: ['Zamyatin'], loan: null },
  {
    isbn: '9780441005901',
    title: 'Roadside Picnic',
    subtitle: null,
    authors: ['Strugatsky', 'Strugatsky'],
    loan: null,
  },
]

/** A day that is none of the calendar is counted on, as `Date` does. */
const later = (day: string, days: number): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const moved = new Date(0)
  moved.setUTCFullYear(year, month - 1, date + days)
  return moved.getUTCFullYear() > 9999 ? '9999-12-31' : moved.toISOString().slice(0, 10)
}

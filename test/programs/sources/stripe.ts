import { createHttpClient } from './generated/stripe/http.client.js'

/** A customer with nested metadata, a list with a range, and a charge that is retried with its key. */
export async function run(server: string, print: (line: string) => void): Promise<void> {
  const stripe = createHttpClient({ server, auth: { bearerAuth: 'sk_test' } })

  const customer = await stripe.PostCustomers({
    body: {
      email: 'jenny@example.com',
      address: { city: 'Berlin', line1: 'Karl-Marx-Allee 1' },
      metadata: { order_id: '6735' },
      preferred_locales: ['de', 'en'],
    },
  })
  print(customer.id)

  const { data, has_more: hasMore } = await stripe.GetCustomers({
    query: { limit: 3, created: { gte: 1_700_000_000, lt: 1_800_000_000 } },
  })
  for (const { id, email } of data) print(`${id}: ${email ?? 'no address'}`)
  print(hasMore ? 'there are more' : 'that is all')

  const payment = await stripe.PostPaymentIntents(
    { body: { amount: 2000, currency: 'usd', automatic_payment_methods: { enabled: true } } },
    { headers: { 'Idempotency-Key': 'order-6735' } },
  )
  print(`${payment.id}: ${payment.status}`)
}

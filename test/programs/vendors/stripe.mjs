import Stripe from 'stripe'

export async function run(url, print) {
  const { hostname, port } = new URL(url)
  const stripe = new Stripe('sk_test', {
    ...{ host: hostname, port, protocol: 'http' },
    ...{ maxNetworkRetries: 1, telemetry: false },
  })
  const customer = await stripe.customers.create({
    email: 'jenny@example.com',
    address: { city: 'Berlin', line1: 'Karl-Marx-Allee 1' },
    metadata: { order_id: '6735' },
    preferred_locales: ['de', 'en'],
  })
  print(customer.id)
  const list = await stripe.customers.list({
    limit: 3,
    created: { gte: 1_700_000_000, lt: 1_800_000_000 },
  })
  for (const { id, email } of list.data) print(`${id}: ${email}`)
  print(list.has_more ? 'there are more' : 'that is all')
  const payment = await stripe.paymentIntents.create(
    { amount: 2000, currency: 'usd', automatic_payment_methods: { enabled: true } },
    { idempotencyKey: 'order-6735' },
  )
  print(`${payment.id}: ${payment.status}`)
}

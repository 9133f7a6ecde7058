import { expect, it } from 'vitest'
import { createClient } from '../../generated/client.js'
import { groupsOf } from '../../src/model/groups.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'

const responses = { 200: { description: 'Done.' } }

const operation = (operationId: string, ...tags: readonly string[]) => ({
  operationId,
  tags,
  responses,
})

/** The groups of an OpenAPI document: path -> the operation of its GET. */
const groupsIn = async (paths: Readonly<Record<string, object>>) => {
  const items = Object.entries(paths).map(([path, get]) => [path, { get }])
  const api = await apiOf({ openapi: openapiOf({ paths: Object.fromEntries(items) }) })
  const notes = api.findings.filter(({ rule }) => rule === 'group-is-left-out')
  return { groups: groupsOf('http', api.operations), notes: notes.map(({ message }) => message) }
}

it('an operation is in the group of its first tag, by its id without the tag', async () => {
  const { groups, notes } = await groupsIn({
    '/a': operation('createCustomer', 'Customers', 'Writing'),
    '/b': operation('list-customers', 'Customers'),
    '/c': operation('customers/delete', 'Customers'),
    '/d': operation('getBalance', 'Customers'),
    '/e': operation('readAPIKey', 'API keys'),
    '/f': operation('alone'),
  })
  expect(groups).toEqual({
    customers: {
      create: 'createCustomer',
      list: 'listCustomers',
      delete: 'customersDelete',
      getBalance: 'getBalance',
    },
    apiKeys: { read: 'readAPIKey' },
  })
  expect(notes).toEqual([])
})

it('nothing is cut out of an id whose rest would mean something else', async () => {
  const { groups } = await groupsIn({
    '/a': operation('buyConcertTickets', 'Tickets'),
    '/b': operation('deleteV1SystemBackupId', 'Backup'),
    '/c': operation('userTickets', 'Tickets'),
    '/d': operation('getTicketById', 'Tickets'),
    '/e': operation('ticketsCreate', 'Tickets'),
    '/f': operation('tickets.list-all', 'Tickets'),
    '/g': operation('Tickets_refundAll', 'Tickets'),
    '/h': operation('ticket_sale_end', 'Tickets'),
    '/i': operation('tickets:sale/end', 'Tickets'),
    '/j': operation('sales/ticket', 'Tickets'),
  })
  expect(groups).toEqual({
    tickets: {
      buyConcertTickets: 'buyConcertTickets',
      userTickets: 'userTickets',
      getTicketById: 'getTicketById',
      create: 'ticketsCreate',
      listAll: 'ticketsListAll',
      refundAll: 'Tickets_refundAll',
      ticket_sale_end: 'ticket_sale_end',
      saleEnd: 'ticketsSaleEnd',
      salesTicket: 'salesTicket',
    },
    backup: { deleteV1SystemBackupId: 'deleteV1SystemBackupId' },
  })
})

it('operations that would share a name in their group keep their ids there', async () => {
  const { groups } = await groupsIn({
    '/a': operation('getPet', 'Pets'),
    '/b': operation('getPets', 'Pets'),
    '/c': operation('pets', 'Pets'),
    '/d': operation('petsThen', 'Pets'),
    '/e': operation('findPet', 'Pets'),
    '/f': operation('find', 'Pets'),
  })
  // `pets` is the id of an operation, so that there is no group of this name.
  expect(groups).toEqual({})
  const other = await groupsIn({
    '/a': operation('getPet', 'Pets'),
    '/b': operation('getPets', 'Pets'),
    '/d': operation('petsThen', 'Pets'),
    '/e': operation('findPet', 'Pets'),
    '/f': operation('find', 'Pets'),
  })
  expect(other.groups).toEqual({
    pets: {
      getPet: 'getPet',
      getPets: 'getPets',
      petsThen: 'petsThen',
      findPet: 'findPet',
      find: 'find',
    },
  })
})

it('a tag has no group where its name is taken, which a note says', async () => {
  const { groups, notes } = await groupsIn({
    '/a': operation('orders', 'Orders'),
    '/b': operation('readA', 'Pet store'),
    '/c': operation('readB', 'pet-store'),
    '/d': operation('readC', '🚀'),
    '/e': operation('readD', 'constructor'),
  })
  expect(groups).toEqual({})
  expect(notes).toEqual([
    'the operations of Orders have no group orders in the client: an operation, or the client itself, has that name',
    'the operations of Pet store have no group petStore in the client: the operations of pet-store would have the same group',
    'the operations of pet-store have no group petStore in the client: the operations of Pet store would have the same group',
    'the operations of 🚀 have no group in the client: its name contains no letter that an identifier can begin with',
    'the operations of constructor have no group constructor in the client: an operation, or the client itself, has that name',
  ])
})

it('without tags the group is the first part in which paths differ', async () => {
  const { groups } = await groupsIn({
    '/v1/customers': operation('GetCustomers'),
    '/v1/customers/{id}': operation('GetCustomersCustomer'),
    '/v1/{id}/charges': operation('listCharges'),
    '/v1': operation('readRoot'),
  })
  expect(groups).toEqual({
    customers: { get: 'GetCustomers', GetCustomersCustomer: 'GetCustomersCustomer' },
    charges: { list: 'listCharges' },
    v1: { readRoot: 'readRoot' },
  })
})

it('a method is in the group of what is before the first separator', async () => {
  const names = ['eth_chainId', 'eth_get_logs', 'system.version', 'tools/list', 'uptime', 'batch_x']
  const api = await apiOf({ openrpc: openrpcOf({ methods: names.map((name) => method(name)) }) })
  expect(groupsOf('rpc', api.operations)).toEqual({
    eth: { chainId: 'ethChainId', getLogs: 'ethGetLogs' },
    system: { version: 'systemVersion' },
    tools: { list: 'toolsList' },
  })
})

it('a call through a group is the call of the operation, in a batch and with options too', async () => {
  const sent: unknown[] = []
  const fetch = async (_: string, { body }: RequestInit) => {
    const request = JSON.parse(String(body))
    sent.push(request)
    if (!('jsonrpc' in [request].flat()[0])) {
      return Response.json({ success: true, queueId: '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942' })
    }
    const answers = [request].flat().map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }))
    return Response.json(Array.isArray(request) ? answers : answers[0])
  }
  const client = createClient({ server: 'http://a.test', auth: { apiKey: 'k' }, fetch })
  expect(client.http.zkt.submit).toBe(client.http.submitZkt)
  await client.http.zkt.submit({ body: { arguments: 'hello' } })
  expect(await client.rpc.eth.chainId()).toBe('0x1')
  expect(await client.rpc.with({ timeout: 5000 }).eth.chainId()).toBe('0x1')
  const both = await client.rpc.batch((b) =>
    Promise.all([b.eth.chainId(), b.with({ timeout: 5000 }).eth.blockNumber()]),
  )
  expect(both).toEqual(['0x1', '0x1'])
  expect(sent).toHaveLength(4)
  // @ts-expect-error the group has no such method
  expect(client.rpc.eth.chain).toBeUndefined()
  expect(Object.keys(client.rpc)).not.toContain('eth')
})

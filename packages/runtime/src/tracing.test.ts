import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Tracing } from './spans.ts'
import { noTracing, openTracing } from './tracing.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`
const stops: (() => unknown)[] = []
let problems: unknown[]
let spans: { readonly traceId: string; readonly parentSpanId?: string; readonly status: { readonly code: number } }[]
let url: string

beforeEach(async () => {
  problems = []
  spans = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
    spans.push(...resourceSpans[0].scopeSpans[0].spans)
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close())
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const open = (at: string | null): Promise<Tracing> =>
  openTracing({ url: at, service: 'teste', onProblem: (error) => problems.push(error) })

it('is off without a URL', async () => {
  expect(await open(null)).toBe(noTracing)
  expect(noTracing.start('x', { parent: PARENT }).traceparent).toBeNull()
})

it('continues the trace of its parent, and sends waiting spans when it stops', async () => {
  const tracing = await open(`${url}/`)
  const span = tracing.start('x', { parent: PARENT })
  expect(span.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))
  span.end({ failed: true })
  await tracing.stop()
  expect(spans).toMatchObject([{ traceId: TRACE, parentSpanId: 'b7ad6b7169203331', status: { code: 2 } }])
  expect(problems).toEqual([])
})

it.each([
  ['no parent', undefined],
  ['a parent of another version', PARENT.replace('00-', '01-')],
  ['a parent without an id', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
  ['a parent with other text', `${PARENT}\r\nx: y`],
])('begins a trace after %s', async (_what, parent) => {
  const tracing = await open(url)
  tracing.start('x', { parent }).end()
  await tracing.stop()
  expect(spans.map(({ traceId, parentSpanId }) => [traceId === TRACE, parentSpanId])).toEqual([[false, undefined]])
})

it('keeps a trace that its beginner does not record, without sending it', async () => {
  const tracing = await open(url)
  const span = tracing.start('x', { parent: PARENT.replace(/01$/, '00') })
  expect(span.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))
  span.end()
  await tracing.stop()
  expect(spans).toEqual([])
})

it('reports a missing receiver once, and stops', async () => {
  const tracing = await open('http://127.0.0.1:1')
  tracing.start('x').end()
  await tracing.stop()
  expect(problems).toHaveLength(1)
})

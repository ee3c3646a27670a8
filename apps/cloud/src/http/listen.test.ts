import { once } from 'node:events'
import { connect } from 'node:net'
import { erroInternoSchema } from '@vigia/contracts/error-bodies'
import { erroOauthSchema } from '@vigia/contracts/oauth'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, expect, it } from 'vitest'
import { type HttpServer, listen } from './listen.ts'

let server: HttpServer
afterEach(() => server.stop(0))

/** Takes and sends one of `pieces` every 30 ms. Returns the answer once the server has closed the connection. */
function trickle(port: number, pieces: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const timer = setInterval(() => {
      const next = pieces.shift()
      if (next !== undefined) socket.write(next)
    }, 30)
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve(answer)
    })
  })
}
const shortLimits = { headerMs: 200, requestMs: 400, checkMs: 20 }
const open = async () => {
  server = await listen({ host: '127.0.0.1', port: 0 }, shortLimits)
  server.serve(async (request) => new Response(String((await request.text()).length)))
  return server.port
}

it('answers 408 to a header that arrives too slowly', async () => {
  const lines = Array.from({ length: 100 }, (_, i) => `X-${i}: a\r\n`)
  const pieces = ['POST / HTTP/1.1\r\nHost: x\r\n', ...lines]
  expect(await trickle(await open(), pieces)).toMatch(/^HTTP\/1.1 408 /)
  expect(pieces.length).toBeGreaterThan(0)
})

it('answers 408 to a body that arrives too slowly, with Content-Length or in chunks', async () => {
  const port = await open()
  const bytes = Array.from({ length: 100 }, () => 'a')
  const announced = ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n', ...bytes]
  const chunked = [
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
    ...bytes.map((byte) => `1\r\n${byte}\r\n`),
  ]
  const answers = await Promise.all([trickle(port, announced), trickle(port, chunked)])
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 408 /)
  for (const rest of [announced, chunked]) expect(rest.length).toBeGreaterThan(0)
})

it.each([
  ['a Host that is no host', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ['a Host with a path', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n'],
  ['a Host with a user name', 'GET / HTTP/1.1\r\nHost: a@b\r\n\r\n'],
  ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
  ['no Host', 'GET / HTTP/1.1\r\nX: y\r\n\r\n'],
  ['a target that is no path', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
])('refuses %s with a body and the id of the log', async (_, request) => {
  const seen: string[] = []
  server = await listen({ host: '127.0.0.1', port: 0, onMalformed: (id) => seen.push(id) }, shortLimits)
  server.serve(() => new Response('reached'))
  const [head = '', body = ''] = (await trickle(server.port, [request])).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 400 /)
  expect(erroInternoSchema.strict().parse(JSON.parse(body)).id).toBe(seen[0])
  expect(head).toContain(`x-request-id: ${seen[0]}`)
  expect(head).toContain('x-content-type-options: nosniff')
})

it('refuses a bad Host of an OAuth endpoint in the form of RFC 6749', async () => {
  const port = await open()
  const answer = await trickle(port, ['POST /oauth/token HTTP/1.1\r\nHost: a b\r\nContent-Length: 0\r\n\r\n'])
  const body = JSON.parse(answer.split('\r\n\r\n')[1] ?? '')
  expect(erroOauthSchema.strict().parse(body)).toMatchObject({ error: 'invalid_request' })
})

it('accepts a request in several pieces within the time limit', async () => {
  const pieces = ['POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n', 'Content-Length: 2\r\n\r\n', 'a', 'b']
  expect(await trickle(await open(), pieces)).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\n\r\n2$/)
})

it('closes connections beyond the largest number, and accepts one when another has ended', async () => {
  server = await listen({ host: '127.0.0.1', port: 0, mostConnections: 2 })
  const { port } = server
  const held = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  for (const socket of held) await once(socket, 'connect')
  const request = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  expect(await trickle(port, [request])).toBe('')
  held[0]?.destroy()
  await waitFor('a free connection', async () => (await trickle(port, [request])).startsWith('HTTP/1.1 503'))
  held[1]?.destroy()
})

it('keeps an idle connection for longer than a reverse proxy does', async () => {
  const answer = await fetch(`http://127.0.0.1:${await open()}/`)
  const [, seconds] = /timeout=(\d+)/.exec(answer.headers.get('keep-alive') ?? '') ?? []
  expect(Number(seconds)).toBeGreaterThan(120)
})

it('stops as soon as the running answers have ended, without waiting for idle connections', async () => {
  server = await listen({ host: '127.0.0.1', port: 0 })
  const { promise, resolve } = Promise.withResolvers<Response>()
  const arrived = Promise.withResolvers<void>()
  server.serve(() => {
    arrived.resolve()
    return promise
  })
  const answer = fetch(`http://127.0.0.1:${server.port}/`).then((response) => response.text())
  await arrived.promise
  const stopped = server.stop(600_000)
  resolve(new Response('whole'))
  expect(await answer).toBe('whole')
  await stopped
})

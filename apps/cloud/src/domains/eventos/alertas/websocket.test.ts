import { once } from 'node:events'
import { connect } from 'node:net'
import type { MensagemAlerta } from '@vigia/contracts/alertas'
import type { MudancaCamera } from '@vigia/contracts/eventos'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, describe, expect, it } from 'vitest'
import { type Client, send } from '../../../test/clients/client.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { openWs, type Refusal, type WsReader } from '../../../test/clients/ws.ts'
import { alertaFixtures, expectOwnAlertas } from '../../../test/clouds/alerta-fixtures.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const open: WsReader[] = []

const stage = alertaFixtures()
const { app, backstage, conta, outra, camera, foreign, confirmed, comesOnline } = stage
const address = () => `${app.url}/api/v1/ws/alertas`
afterEach(() => {
  for (const reader of open.splice(0)) reader.close()
})

const attempt = async (query: string, headers: Record<string, string>): Promise<WsReader | Refusal> => {
  const answer = await openWs(`${address()}${query}`, headers)
  if ('socket' in answer) open.push(answer)
  return answer
}
const bearer = ({ token }: Client) => ({ authorization: `Bearer ${token}` })
const listen = async (by: Client, query = ''): Promise<WsReader> => {
  const answer = await attempt(query, bearer(by))
  if (!('socket' in answer)) throw new Error(`refused: ${JSON.stringify(answer)}`)
  return answer
}
const statusOf = (answer: WsReader | Refusal) => ('socket' in answer ? 101 : answer.status)
const ids = (reader: WsReader) => reader.messages.map(({ id }) => id)

describe('the WebSocket', () => {
  it('sends the messages of the SSE stream as {tipo, id, dados}', async () => {
    const reader = await listen(conta.usuario, '?todos=true')
    const sse = await openSse(`${app.url}/api/v1/sse/alertas?todos=true`, bearer(conta.usuario))
    const refuted = await backstage.event(camera)
    await backstage.verdict(refuted, 'refutado')
    const id = await confirmed()
    const [alerta] = await reader.until('alerta', 1)
    await sse.until('alerta', 1)
    sse.close()
    expect(alerta).toMatchObject({ tipo: 'alerta', id, dados: { id, empresa_id: conta.empresaId } })
    // Changes of cameras may arrive in between.
    const messages = reader.messages.filter(({ tipo }) => tipo !== 'camera')
    expect(messages.map(({ tipo }) => tipo)).toEqual(['evento', 'evento', 'evento', 'alerta'])
    const frames = sse.frames.filter(({ event }) => event !== 'camera')
    expect(messages).toEqual(
      frames.map(({ event, id, data }) => ({ tipo: event, id: Number(id), dados: JSON.parse(data) as unknown })),
    )
  })

  it('sends only confirmed eventos by default', async () => {
    const reader = await listen(conta.admin, '?todos=false')
    const refuted = await backstage.event(camera)
    await backstage.verdict(refuted, 'refutado')
    const id = await confirmed()
    await reader.until('alerta', 1)
    expect(ids(reader)).toEqual([id])
  })

  it('works with the WebSocket of a browser and a token in the address', async () => {
    const socket = new globalThis.WebSocket(`${address().replace('http', 'ws')}?token=${conta.usuario.token}`)
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve()
      socket.onerror = () => reject(new Error('did not open'))
    })
    const received = new Promise<MensagemAlerta>((resolve) => {
      socket.onmessage = ({ data }) => resolve(JSON.parse(String(data)) as MensagemAlerta)
    })
    const id = await confirmed()
    expect(await received).toMatchObject({ tipo: 'alerta', id })
    socket.close()
  })

  it('sends a camera status to the clients with todos=true and the camera in scope', async () => {
    const reader = await listen(conta.admin, '?todos=true')
    const stranger = await listen(outra.admin, '?todos=true')
    await comesOnline()
    const [message] = await reader.until('camera', 1)
    expect(message?.id).toBeNull()
    expect(message?.dados as MudancaCamera).toMatchObject({ id: camera.cameraId, status: 'online' })
    expect(stranger.messages.filter(({ dados }) => dados.id === camera.cameraId)).toEqual([])
  })

  it('compresses nothing', async () => {
    expect((await listen(conta.admin)).socket.extensions).toBe('')
  })
})

describe('after a break', () => {
  it('neither loses nor repeats an alerta after repeated disconnections', async () => {
    let seen = await confirmed()
    const received: number[] = []
    const stored: number[] = []
    for (let round = 0; round < 5; round += 1) {
      for (let i = 0; i < 3; i += 1) stored.push(await confirmed(), await confirmed(foreign))
      const reader = await listen(conta.usuario, `?ultimo_id=${seen}`)
      // Disconnects after one message, after four, and so on; messages in flight may be lost.
      await reader.until('alerta', 1 + (round % 3))
      reader.close()
      received.push(...ids(reader).map(Number))
      seen = received.at(-1) ?? seen
    }
    const rest = await listen(conta.usuario, `?ultimo_id=${seen}`)
    const last = await confirmed()
    await waitFor('the last one', () => ids(rest).includes(last))
    const ours = stored.filter((_, index) => index % 2 === 0)
    expect([...received, ...ids(rest)]).toEqual([...ours, last])
  })

  it('resumes over SSE by the address, with precedence of the header', async () => {
    const [first, second, third] = [await confirmed(), await confirmed(), await confirmed()]
    const url = `${app.url}/api/v1/sse/alertas?ultimo_id=${first}`
    const reader = await openSse(url, bearer(conta.usuario))
    await reader.until('alerta', 2)
    const again = await openSse(url, { ...bearer(conta.usuario), 'last-event-id': String(second) })
    await again.until('alerta', 1)
    for (const { close } of [reader, again]) close()
    expect(reader.frames.map(({ id }) => Number(id))).toEqual([second, third])
    expect(again.frames.map(({ id }) => Number(id))).toEqual([third])
  })
})

describe('authentication', () => {
  it('accepts header, query or cookie', async () => {
    const { token } = conta.usuario
    const cookie = `session=${token}`
    for (const [query, headers, status] of [
      ['', { authorization: `Bearer ${token}` }, 101],
      [`?token=${token}`, {}, 101],
      ['', { cookie, origin: app.url }, 101],
      ['', { cookie, 'sec-fetch-site': 'same-origin' }, 101],
      ['', {}, 401],
      ['', { authorization: 'Bearer errado' }, 401],
      ['?token=errado', {}, 401],
      ['', { cookie: 'session=errado', origin: app.url }, 401],
      [`?token=${token}`, { authorization: 'Bearer errado' }, 401],
      ['?todos=talvez', { authorization: `Bearer ${token}` }, 422],
      ['?ultimo_id=-1', { authorization: `Bearer ${token}` }, 422],
    ] as const) {
      const answer = await attempt(query, { ...headers })
      expect([query, headers, statusOf(answer)]).toEqual([query, headers, status])
      if ('socket' in answer) continue
      expect(answer.body).toMatchObject({ detail: expect.anything() })
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
    }
    expect(app.logText()).not.toContain(token)
  })

  it('refuses the cookie from a page of another site', async () => {
    const cookie = `session=${conta.admin.token}`
    const refused: Record<string, string>[] = [
      {},
      { origin: 'https://mal.example' },
      { origin: 'null' },
      { origin: `${app.url}.mal.example` },
      { origin: app.url.replace(/\d+$/, '1') },
      { 'sec-fetch-site': 'cross-site', origin: app.url },
      { 'sec-fetch-site': 'same-site', origin: app.url },
    ]
    for (const headers of refused)
      expect([headers, statusOf(await attempt('', { cookie, ...headers }))]).toEqual([headers, 403])
    // A token in the request is accepted from any origin.
    const elsewhere = { origin: 'https://mal.example' }
    expect(statusOf(await attempt('', { ...bearer(conta.admin), ...elsewhere }))).toBe(101)
  })

  it('each account receives its own alertas, and the operator receives all', async () => {
    await expectOwnAlertas(stage, listen, ids)
  })

  it('shares the limit of a login with SSE', async () => {
    const client = await app.signIn(`administrador-${outra.empresaId}`)
    const sse = []
    for (let i = 0; i < 16; i += 1) sse.push(await openSse(`${app.url}/api/v1/sse/alertas`, bearer(client)))
    for (let i = 0; i < 16; i += 1) await listen(client)
    const refused = await attempt('', bearer(client))
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
    expect((await openSse(`${app.url}/api/v1/sse/alertas`, bearer(client))).response.status).toBe(429)
    for (const reader of sse) reader.close()
    for (const reader of open.splice(0)) reader.close()
    await waitFor('a free slot', async () => statusOf(await attempt('', bearer(client))) === 101)
  })
})

describe('the end of a connection', () => {
  it('closes with 4401 at a logout, at once, without further messages', async () => {
    const client = await app.signIn(`usuario-${conta.empresaId}`)
    const reader = await listen(client)
    await client.send('GET', '/api/v1/auth/logout')
    await confirmed()
    expect((await reader.closed).code).toBe(4401)
    expect(reader.messages).toEqual([])
  })

  it('closes with 4401 when the session expires, and with 1001 when the service stops', async () => {
    const own = await startTestApp()
    const url = `${own.url}/api/v1/ws/alertas`
    const first = await openWs(url, bearer(own.operator))
    own.clock.advance(3_600_001)
    if (!('socket' in first)) throw new Error('refused')
    expect((await first.closed).code).toBe(4401)
    const second = await openWs(url, bearer(await own.signIn('admin', 'senha-do-operador')))
    if (!('socket' in second)) throw new Error('refused')
    await own.stop()
    expect(await second.closed).toEqual({ code: 1001, reason: expect.stringContaining('parando') })
  })

  it('a client that ignores the close frame does not delay the stop of the service', async () => {
    const own = await startTestApp()
    const reader = await openWs(`${own.url}/api/v1/ws/alertas`, bearer(own.operator))
    if (!('socket' in reader)) throw new Error('refused')
    reader.socket.pause()
    let isClosed = false
    void reader.closed.then(() => (isClosed = true))
    await own.stop()
    // The client has not even read the close frame.
    expect(isClosed).toBe(false)
    reader.close()
  })

  it('closes with 1008 after a message of the client, and with 1009 after one that is too large', async () => {
    const polite = await listen(conta.admin)
    polite.socket.send('{"tipo":"retomar","id":1}')
    expect((await polite.closed).code).toBe(1008)
    const loud = await listen(conta.admin)
    loud.socket.send('x'.repeat(1025))
    expect((await loud.closed).code).toBe(1009)
  })
})

describe('an HTTP request', () => {
  it('without an upgrade header gets a 426', async () => {
    const answer = await send(address(), { headers: bearer(conta.admin) })
    expect([answer.status, answer.body]).toEqual([426, { detail: expect.stringContaining('WebSocket') }])
    expect(answer.headers.get('upgrade')).toBe('websocket')
    expect((await send(address())).status).toBe(401)
  })

  it('for a WebSocket on another path is refused; an HTTP/2 upgrade is ignored', async () => {
    const other = await openWs(`${app.url}/api/v1/me`, bearer(conta.admin))
    expect(other).toMatchObject({ status: 400, body: { detail: expect.any(String) } })
    const stream = await openWs(`${app.url}/api/v1/sse/alertas`, bearer(conta.admin))
    expect(stream).toMatchObject({ status: 400 })
    expect(await openWs(`${app.url}/nada`, bearer(conta.admin))).toMatchObject({ status: 404 })
    const h2c = await raw('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n')
    expect(h2c).toMatch(/^HTTP\/1\.1 200 /)
    const post = `POST /api/v1/empresas HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n`
    const json = `Authorization: Bearer ${app.operator.token}\r\nContent-Type: application/json\r\n`
    const created = await raw(`${post}${json}Content-Length: 16\r\n\r\n{"nome":"Outra"}`)
    expect(created).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('with a broken handshake is refused and does not count as an open stream', async () => {
    const token = `Authorization: Bearer ${conta.admin.token}\r\n`
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    const head = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n${upgrade}`
    for (let i = 0; i < 40; i += 1)
      expect(await raw(`${head('/api/v1/ws/alertas')}${token}\r\n`)).toMatch(/^HTTP\/1\.1 400 .*\{"detail":"[^"]+"\}$/s)
    expect(await raw(`${head('http://x/api/v1/ws/alertas')}${token}\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
    expect(statusOf(await attempt('', bearer(conta.admin)))).toBe(101)
    expect((await send(`${app.url}/healthz`)).status).toBe(200)
  })
})

/** The whole answer of the server to `text`, until it closes the connection. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    answer += chunk
  })
  socket.write(text)
  await once(socket, 'close')
  return answer
}

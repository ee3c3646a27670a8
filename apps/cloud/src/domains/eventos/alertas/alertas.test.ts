import type { Evento, MudancaCamera } from '@vigia/contracts/eventos'
import { openAlertStream } from '@vigia/testing/alert-stream'
import { signIn as signInApi } from '@vigia/testing/api'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openSse, type SseReader } from '../../../test/clients/sse.ts'
import { alertaFixtures, expectOwnAlertas } from '../../../test/clouds/alerta-fixtures.ts'
import { SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const open: SseReader[] = []

const stage = alertaFixtures()
const { app, backstage, conta, outra, camera, foreign, confirmed, comesOnline } = stage
afterEach(() => {
  for (const reader of open.splice(0)) reader.close()
})

const listen = async (by: Client, query = '', lastEventId?: number): Promise<SseReader> => {
  const headers = {
    authorization: `Bearer ${by.token}`,
    ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
  }
  const reader = await openSse(`${app.url}/api/v1/sse/alertas${query}`, headers)
  open.push(reader)
  return reader
}
const ids = (reader: SseReader) => reader.frames.map(({ id }) => Number(id))

describe('the alert stream', () => {
  it('gives a position before the first alerta, so that a connection that ends at once misses none', async () => {
    const before = await confirmed()
    const answer = await fetch(`${app.url}/api/v1/sse/alertas`, {
      headers: { authorization: `Bearer ${conta.usuario.token}` },
    })
    let text = ''
    for await (const chunk of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (/^id: \d+$/m.test(text)) break
    }
    const [, position = ''] = /^id: (\d+)$/m.exec(text) ?? []
    expect(Number(position)).toBeGreaterThanOrEqual(before)
    const missed = await confirmed()
    const reader = await openSse(`${app.url}/api/v1/sse/alertas`, {
      authorization: `Bearer ${conta.usuario.token}`,
      'last-event-id': position,
    })
    await reader.until('alerta', 1)
    expect(ids(reader)).toEqual([missed])
    reader.close()
  })

  it('sends each evento at its confirmation, and no others', async () => {
    const reader = await listen(conta.usuario)
    expect(reader.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(reader.response.headers.get('cache-control')).toBe('no-store')
    const refuted = await backstage.event(camera)
    await backstage.verdict(refuted, 'refutado')
    const id = await confirmed()
    const [frame] = await reader.until('alerta', 1)
    expect(frame?.id).toBe(String(id))
    expect(JSON.parse(frame?.data ?? '') as Evento).toMatchObject({
      id,
      empresa_id: conta.empresaId,
      veredito: { decisao: 'confirmado' },
      crop_url: `/api/v1/crops/${id}`,
    })
    expect(reader.frames).toHaveLength(1)
  })

  it('with todos=true sends every stage of an evento, in order', async () => {
    const reader = await listen(conta.admin, '?todos=true')
    const id = await backstage.event(camera)
    await reader.until('evento', 1)
    await backstage.verdict(id, 'refutado')
    await reader.until('evento', 2)
    const decisions = reader.frames.map(({ data }) => (JSON.parse(data) as Evento).veredito?.decisao ?? null)
    expect(decisions).toEqual([null, 'refutado'])
    expect(ids(reader)).toEqual([id, id])
  })

  it('follows the order of the verdicts, not of the ids', async () => {
    const reader = await listen(conta.admin)
    const [first, second] = [await backstage.event(camera), await backstage.event(camera)]
    await backstage.verdict(second, 'confirmado')
    await backstage.verdict(first, 'confirmado')
    await reader.until('alerta', 2)
    expect(ids(reader)).toEqual([second, first])
  })

  it('works with a real EventSource client', async () => {
    const api = await signInApi(app.url, `usuario-${conta.empresaId}`, SENHA)
    const stream = await openAlertStream(api)
    const id = await confirmed()
    expect((await stream.nextAlert('the alert', (evento) => evento.id === id)).empresa_id).toBe(conta.empresaId)
    stream.close()
  })

  it('sends a comment as heartbeat', async () => {
    const reader = await listen(conta.admin)
    const before = reader.comments.length
    await waitFor('a heartbeat', () => reader.comments.length > before + 1)
    expect(reader.frames).toEqual([])
  })
})

describe('after a break', () => {
  it('missed alertas arrive first and in order, then new ones', async () => {
    const seen = await confirmed()
    const missed = [await confirmed(), await confirmed()]
    const reader = await listen(conta.admin, '', seen)
    await reader.until('alerta', 2)
    const live = await confirmed()
    await reader.until('alerta', 3)
    expect(ids(reader)).toEqual([...missed, live])
  })

  it('an older evento that was confirmed later is not lost', async () => {
    const slow = await backstage.event(camera)
    const seen = await confirmed()
    await backstage.verdict(slow, 'confirmado')
    const reader = await listen(conta.admin, '', seen)
    await reader.until('alerta', 1)
    expect(ids(reader)).toEqual([slow])
  })

  it('with todos=true the verdict of an evento that was sent as pending is not lost', async () => {
    const seen = await backstage.event(camera)
    await backstage.verdict(seen, 'confirmado')
    const reader = await listen(conta.admin, '?todos=true', seen)
    const [frame] = await reader.until('alerta', 1)
    expect(frame?.id).toBe(String(seen))
    expect(reader.frames).toHaveLength(1)
  })

  it('a last id from another account reveals no evento and loses no alerta', async () => {
    const theirs = await confirmed(foreign)
    const ours = await confirmed()
    const reader = await listen(conta.admin, '', theirs)
    await reader.until('alerta', 1)
    expect(ids(reader)).toEqual([ours])
  })

  it.each([['99999999'], ['; drop table alertas'], ['-1']])(
    'the id %s starts at the end of the log',
    async (lastEventId) => {
      const headers = { authorization: `Bearer ${conta.admin.token}`, 'last-event-id': lastEventId }
      const reader = await openSse(`${app.url}/api/v1/sse/alertas`, headers)
      open.push(reader)
      const id = await confirmed()
      await reader.until('alerta', 1)
      expect(ids(reader)).toEqual([id])
    },
  )

  it('hundreds of missed alertas arrive exactly once', async () => {
    const seen = await confirmed()
    const missed: number[] = []
    for (let i = 0; i < 130; i += 1) missed.push(await confirmed(i % 3 === 0 ? foreign : camera))
    const reader = await listen(app.operator, '', seen)
    await reader.until('alerta', missed.length)
    expect(ids(reader)).toEqual(missed)
    const scoped = await listen(conta.admin, '', seen)
    const ours = missed.filter((_, index) => index % 3 !== 0)
    await scoped.until('alerta', ours.length)
    expect(ids(scoped)).toEqual(ours)
  })
})

describe('scope and session', () => {
  it('each account receives its own alertas, and the operator receives all', async () => {
    await expectOwnAlertas(stage, listen, ids)
  })

  it('requires a session; accepts the token in header, cookie or query', async () => {
    const { token } = conta.usuario
    const path = `${app.url}/api/v1/sse/alertas`
    for (const [url, headers, status] of [
      [path, {}, 401],
      [path, { authorization: 'Bearer wrong' }, 401],
      [`${path}?token=wrong`, {}, 401],
      [`${path}?token=${token}`, { authorization: 'Bearer wrong' }, 401],
      [path, { authorization: `Bearer ${token}` }, 200],
      [path, { cookie: `session=${token}` }, 200],
      [`${path}?token=${token}`, {}, 200],
      [`${path}?todos=talvez`, { authorization: `Bearer ${token}` }, 422],
    ] as const) {
      const reader = await openSse(url, { ...headers })
      open.push(reader)
      expect(reader.response.status).toBe(status)
    }
    expect(app.logText()).not.toContain(token)
  })

  it('a logout ends the stream at once, without further messages', async () => {
    const client = await app.signIn(`usuario-${conta.empresaId}`)
    const reader = await listen(client)
    await client.send('GET', '/api/v1/auth/logout')
    await confirmed()
    await reader.ended
    expect(reader.frames).toEqual([])
  })

  it('follows a new reach at once', async () => {
    const empresa_id = conta.empresaId
    const body = { username: 'central', senha: SENHA, papel: 'vigilante', alcance: [outra.empresaId] }
    const { id } = await app.operator.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', { ...body, empresa_id })
    const reader = await listen(await app.signIn('central'))
    const first = await confirmed(foreign)
    await reader.until('alerta', 1)
    await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { alcance: [empresa_id] })
    await confirmed(foreign)
    const second = await confirmed(camera)
    await reader.until('alerta', 2)
    expect(ids(reader)).toEqual([first, second])
  })

  it('the end of the session ends the stream', async () => {
    const own = await startTestApp()
    try {
      const reader = await openSse(`${own.url}/api/v1/sse/alertas`, {
        authorization: `Bearer ${own.operator.token}`,
      })
      own.clock.advance(3_600_001)
      await reader.ended
    } finally {
      await own.stop()
    }
  })

  it('the number of streams of a login is limited', async () => {
    const client = await app.signIn(`administrador-${outra.empresaId}`)
    const statuses: number[] = []
    for (let i = 0; i < 33; i += 1) statuses.push((await listen(client)).response.status)
    expect(statuses.at(-2)).toBe(200)
    expect(statuses.at(-1)).toBe(429)
    for (const reader of open.splice(0)) reader.close()
    await waitFor('a free slot', async () => (await listen(client)).response.status === 200)
  })
})

describe('camera status', () => {
  it('reaches the clients with todos=true and the camera in scope', async () => {
    const reader = await listen(conta.admin, '?todos=true')
    const stranger = await listen(outra.admin, '?todos=true')
    const alertsOnly = await listen(conta.admin)
    await comesOnline()
    const [frame] = await reader.until('camera', 1)
    expect(frame?.id).toBeNull()
    expect(JSON.parse(frame?.data ?? '') as MudancaCamera).toMatchObject({
      id: camera.cameraId,
      empresa_id: conta.empresaId,
      nome: 'Portão',
      status: 'online',
    })
    // The camera has no frame for 15 s, then the edge sends no message for 20 s.
    app.clock.advance(15_500)
    await reader.until('camera', 2)
    app.clock.advance(10_000)
    const statuses = (await reader.until('camera', 3)).map(({ data }) => JSON.parse(data) as MudancaCamera)
    expect(statuses.map(({ status }) => status)).toEqual(['online', 'offline', 'offline'])
    expect(statuses.at(-1)?.status_detalhe).toContain('caixa')
    expect(stranger.frames).toEqual([])
    expect(alertsOnly.frames).toEqual([])
  })
})

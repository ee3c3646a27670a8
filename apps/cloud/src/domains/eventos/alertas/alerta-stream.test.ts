import type { MensagemAlerta } from '@vigia/contracts/alertas'
import type { Evento, Queda } from '@vigia/contracts/eventos'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { type Bus, createBus } from '../../../adapters/bus.ts'
import type { Caller } from '../../../http/caller.ts'
import { operatorCaller as operator } from '../../../test/clients/operator-caller.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { openBackstage, startWithBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { openAlertStream, type StreamDeps } from './alerta-stream.ts'
import { asMessages, asSse, type Item } from './encode.ts'
import { createSessionMonitor } from './session-monitor.ts'
import { createSharedLog } from './shared-log.ts'
import { lastEvento } from './store.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

/** Sessions are checked each millisecond. */
const depsOf = (bus: Bus, authenticate: StreamDeps['authenticate']): StreamDeps => ({
  db: backstage.db,
  authenticate,
  sharedLog: createSharedLog({ db: backstage.db, bus }),
  sessions: createSessionMonitor(authenticate, 1),
  shown: async () => {},
})

describe('a slow client', () => {
  it('receives no message after the end of its session, even during a replay', async () => {
    const camera = await backstage.camera((await app.account('Padaria')).empresaId)
    const ids: number[] = []
    for (let i = 0; i < 6; i += 1) {
      const id = await backstage.event(camera)
      await backstage.verdict(id, 'confirmado')
      ids.push(id)
    }
    let caller: Caller | null = operator
    const deps = { ...depsOf(createBus(), async () => caller), sessionCheckMs: 0 }
    const options = { token: 'x', todos: false, incidentes: false, ultimoId: ids[0] ?? 0 }
    const stream = await openAlertStream(deps, options, new AbortController().signal)
    const received: unknown[] = []
    for (let i = 0; i < 3; i += 1) received.push((await stream.next()).value)
    expect(received).toMatchObject(ids.slice(1, 4).map((id) => ({ tipo: 'alerta', id })))
    caller = null
    expect(await stream.next()).toMatchObject({ done: true })
  })
})

describe('a stream without an earlier id', () => {
  const open = (ultimoId: number | null) =>
    openAlertStream(
      depsOf(createBus(), async () => operator),
      { token: 'x', todos: false, incidentes: false, ultimoId },
      new AbortController().signal,
    )
  const take = async (stream: Awaited<ReturnType<typeof open>>, count: number) => {
    const items: unknown[] = []
    for (let at = 0; at < count; at += 1) items.push((await stream.next()).value)
    await stream.return()
    return items
  }

  it('begins with a position, from which a client that got nothing else misses no alert', async () => {
    const camera = await backstage.camera((await app.account('Oficina')).empresaId)
    const last = await backstage.event(camera)
    await backstage.verdict(last, 'confirmado')
    const pending = await backstage.event(camera)
    const first = await open(null)
    const later = await backstage.event(camera)
    await backstage.verdict(later, 'confirmado')
    await backstage.verdict(pending, 'confirmado')
    expect(await take(first, 3)).toMatchObject([
      { tipo: 'posicao', id: last },
      { tipo: 'alerta', id: later },
      { tipo: 'alerta', id: pending },
    ])
    expect(await take(await open(last), 2)).toMatchObject([{ id: later }, { id: pending }])
  })

  it('continues from the position 0, before the first alert of the installation', async () => {
    const fresh = await startWithBackstage()
    expect(await lastEvento(fresh.backstage.db, ['alerta'])).toBe(0)
    const own = await fresh.app.account('Padaria')
    const id = await fresh.backstage.event(await fresh.backstage.camera(own.empresaId))
    await fresh.backstage.verdict(id, 'confirmado')
    const headers = { authorization: `Bearer ${own.admin.token}`, 'last-event-id': '0' }
    const reader = await openSse(`${fresh.app.url}/api/v1/sse/alertas`, headers)
    expect(await reader.until('alerta', 1)).toMatchObject([{ id: String(id) }])
    reader.close()
    await fresh.app.stop()
  })
})

describe('a queda', () => {
  const of = (empresa_id: number | null, id: number, fim: string | null = null) =>
    ({ id, empresa_id, nome: 'Caixa', fim }) as Queda
  const ofEmpresa: Caller = { ...operator, papel: 'usuario', empresaId: 7, escopo: new Set([7]) }

  /** Messages to one subscriber: only the newest state of each camera and queda. */
  async function heard(caller: Caller, todos: boolean, quedas: readonly Queda[]): Promise<Item[]> {
    const bus = createBus()
    const deps = { ...depsOf(bus, async () => caller), heartbeatMs: 1, sessionCheckMs: 1 }
    const options = { token: 'x', todos, incidentes: false, ultimoId: null }
    const stream = await openAlertStream(deps, options, new AbortController().signal)
    const first = stream.next()
    await first
    for (const queda of quedas) bus.publish({ tipo: 'queda', queda })
    const received: Item[] = []
    for (;;) {
      const { value } = await stream.next()
      if (!value || value.tipo === 'batimento') break
      received.push(value)
    }
    await stream.return()
    return received
  }

  it('reaches the clients with todos=true and the queda in scope, at its start and at its end', async () => {
    const quedas = [of(7, 1), of(8, 2), of(null, 3), of(7, 1, '2026-11-09T13:00:00.000Z')]
    expect(await heard(ofEmpresa, true, quedas)).toEqual([{ tipo: 'queda', id: null, dados: quedas[3] }])
    expect(await heard(operator, true, quedas)).toMatchObject([
      { dados: { id: 1 } },
      { dados: { id: 2 } },
      { dados: { id: 3 } },
    ])
    expect(await heard(operator, false, quedas)).toEqual([])
  })
})

describe('the format', () => {
  const dados = { id: 7, camera_nome: 'Portão\n\ndata: 1' } as Evento
  const mudanca = { id: 3, status: 'offline' } as Extract<MensagemAlerta, { tipo: 'camera' }>['dados']
  async function* items(): AsyncGenerator<Item, void, void> {
    yield { tipo: 'alerta', id: 7, dados }
    yield { tipo: 'batimento' }
    yield { tipo: 'camera', id: null, dados: mudanca }
  }

  const collect = async (source: AsyncGenerator<string>) => {
    const texts: string[] = []
    for await (const text of source) texts.push(text)
    return texts
  }

  it('an SSE message has the id of the evento, its kind and one line of data; a heartbeat is a comment', async () => {
    expect(await collect(asSse(items()))).toEqual([
      'retry: 3000\n: conectado\n\n',
      'id: 7\nevent: alerta\ndata: {"id":7,"camera_nome":"Portão\\n\\ndata: 1"}\n\n',
      ': \n\n',
      'event: camera\ndata: {"id":3,"status":"offline"}\n\n',
      'retry: 200\n\n',
    ])
  })

  it('a WebSocket message has the same fields in one JSON text', async () => {
    expect((await collect(asMessages(items()))).map((text) => JSON.parse(text) as unknown)).toEqual([
      { tipo: 'alerta', id: 7, dados },
      { tipo: 'camera', id: null, dados: mudanca },
    ])
  })
})

describe('the shared log', () => {
  it('never moves a stream back to a line that it read from the database itself', async () => {
    const camera = await backstage.camera((await app.account('Armazém')).empresaId)
    const bus = createBus()
    const log = createSharedLog({ db: backstage.db, bus })
    const wanted = { tipos: ['alerta'], empresas: null } as const
    const inbox = log.openInbox(new AbortController().signal)
    inbox.reset()
    await inbox.wait(10_000, 0, wanted)
    for (let i = 0; i < 3; i += 1) await backstage.verdict(await backstage.event(camera), 'confirmado')
    // Line 0 is older than the kept lines, so this page comes from the database and ends with the three new lines.
    const { ate } = await log.read(0, wanted, 10_000)
    inbox.reset()
    const position = inbox.wait(3_000, ate, wanted)
    bus.publish({ tipo: 'alertas' })
    expect(await position).toBe(ate)
    inbox.close()
  })
})

import type { Evento, MensagemAlerta } from '@vigia/contracts/eventos'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../http/caller.ts'
import { type Backstage, openBackstage } from '../../test/backstage.ts'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { openAlertStream } from './alert-stream.ts'
import { createBus } from './bus.ts'
import { asMessages, asSse, type Item } from './encode.ts'

const operator: Caller = { usuarioId: 1, username: 'admin', papel: 'administrador', empresaId: null, escopo: 'tudo' }

describe('a client that takes long', () => {
  let app: TestApp
  let backstage: Backstage
  beforeAll(async () => {
    app = await startTestApp()
    backstage = await openBackstage(app)
  })
  afterAll(async () => {
    await backstage.close()
    await app.stop()
  })

  it('is told nothing more when its session ends, in the middle of what it missed too', async () => {
    const camera = await backstage.camera((await app.account('Padaria')).empresaId)
    const ids: number[] = []
    for (let i = 0; i < 6; i += 1) {
      const id = await backstage.event(camera)
      await backstage.verdict(id, 'confirmado')
      ids.push(id)
    }
    let caller: Caller | null = operator
    const deps = { db: backstage.db, bus: createBus(), authenticate: async () => caller, sessionCheckMs: 0 }
    const options = { token: 'x', todos: false, ultimoId: ids[0] ?? 0 }
    const stream = await openAlertStream(deps, options, new AbortController().signal)
    const told: unknown[] = []
    for (let i = 0; i < 3; i += 1) told.push((await stream.next()).value)
    expect(told).toMatchObject(ids.slice(1, 4).map((id) => ({ tipo: 'alerta', id })))
    caller = null
    expect(await stream.next()).toMatchObject({ done: true })
  })
})

describe('on the wire', () => {
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

  it('SSE has the id of the event, its kind, and the data on one line; silence is a comment', async () => {
    expect(await collect(asSse(items()))).toEqual([
      'retry: 3000\n: conectado\n\n',
      'id: 7\nevent: alerta\ndata: {"id":7,"camera_nome":"Portão\\n\\ndata: 1"}\n\n',
      ': \n\n',
      'event: camera\ndata: {"id":3,"status":"offline"}\n\n',
    ])
  })

  it('WebSocket has the same in one JSON text each', async () => {
    expect((await collect(asMessages(items()))).map((text) => JSON.parse(text) as unknown)).toEqual([
      { tipo: 'alerta', id: 7, dados },
      { tipo: 'camera', id: null, dados: mudanca },
    ])
  })
})

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Evento, EventoDetalhe, Metricas } from '@vigia/contracts/eventos'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { Answer, Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { FRAME, JPEG } from '../../../test/records/records.ts'

/** Events of `conta` in order of storage. */
const ids: number[] = []
let foreignId: number

const HOUR = 3_600_000
const T0 = Date.UTC(2026, 10, 20)

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))
const outra = fixture(() => app.account('Farmácia'))
const camera = fixture(() => backstage.camera(conta.empresaId))
const second = fixture(() => backstage.camera(conta.empresaId))
const foreign = fixture(() => backstage.camera(outra.empresaId))

beforeAll(async () => {
  for (let i = 0; i < 6; i += 1)
    ids.push(
      await backstage.event(i % 2 === 0 ? camera : second, {
        ocorrido_em: T0 + i * HOUR,
        ...(i === 5 && { tipo: 'fogo', gravidade: 'critica' as const }),
      }),
    )
  foreignId = await backstage.event(foreign)
  await backstage.verdict(ids[0] ?? 0, 'confirmado')
  await backstage.verdict(ids[1] ?? 0, 'refutado')
  await backstage.verdict(ids[2] ?? 0, 'confirmado', 'baixa')
})

const list = async (query: string, by: Client = conta.admin): Promise<number[]> =>
  (await by.expect<Evento[]>(200, 'GET', `/api/v1/events${query}`)).map(({ id }) => id)
const at = (index: number): number => ids.at(index) ?? 0
const newestFirst = () => [...ids].reverse()

describe('GET /events', () => {
  it('is ordered newest first and contains verdicts', async () => {
    const events = await conta.usuario.expect<Evento[]>(200, 'GET', '/api/v1/events')
    expect(events.map(({ id }) => id)).toEqual(newestFirst())
    expect(events.at(-1)).toMatchObject({
      empresa_id: conta.empresaId,
      camera_nome: 'Portão',
      rotulos: ['person'],
      caixas: [{ rotulo: 'person', w: 0.3 }],
      veredito: { decisao: 'confirmado', certeza: 'alta', confianca: 0.9, motivo: 'Pessoa vista.', fonte: 'teste' },
      crop_url: `/api/v1/crops/${at(0)}`,
      clip_url: null,
      ocorrido_em: new Date(T0).toISOString(),
    })
    expect(events[0]?.veredito).toBeNull()
  })

  it('keeps the order of an edge whose clock jumped', async () => {
    const before = await list('')
    const late = await backstage.event(foreign, { ocorrido_em: T0 - 99 * HOUR })
    expect(await list('', outra.admin)).toEqual([late, foreignId])
    expect(await list('')).toEqual(before)
  })

  it.each([
    ['tipo=fogo', [5]],
    ['gravidade=critica', [5]],
    ['gravidade=alta', [4, 3, 2, 1, 0]],
    ['veredito=confirmado', [2, 0]],
    ['veredito=refutado', [1]],
    ['veredito=pendente', [5, 4, 3]],
    ['certeza=alta', [1, 0]],
    ['certeza=baixa', [2]],
    ['certeza=alta&veredito=confirmado', [0]],
    ['certeza=baixa&veredito=refutado', []],
    ['certeza=alta&veredito=pendente', []],
    [`certeza=baixa&ate=${new Date(T0 + 3 * HOUR).toISOString()}`, [2]],
    [`desde=${new Date(T0 + HOUR).toISOString()}&ate=${new Date(T0 + 3 * HOUR).toISOString()}`, [2, 1]],
    ['veredito=pendente&tipo=invasao&limit=2', [4, 3]],
    ['offset=4', [1, 0]],
    ['offset=6', []],
    ['tipo=placa', []],
    ['tipo=fogo&gravidade=alta', []],
    ['tipo=fogo&gravidade=critica&veredito=pendente', [5]],
    [`desde=${new Date(T0 + HOUR).toISOString()}&ate=${new Date(T0 + HOUR).toISOString()}`, []],
    [`ate=${new Date(T0 + 2 * HOUR).toISOString()}&offset=1`, [0]],
  ])('filters by %s', async (query, expected) => {
    expect(await list(`?${query}`)).toEqual(expected.map(at))
  })

  it('filters by camera and Empresa', async () => {
    expect(await list(`?camera_id=${second.cameraId}`)).toEqual([5, 3, 1].map(at))
    expect(await list(`?empresa_id=${conta.empresaId}`, app.operator)).toEqual(newestFirst())
    expect(await list(`?camera_id=${foreign.cameraId}`)).toEqual([])
  })

  it('pages by link, independently of new events', async () => {
    const own = await app.account('Banca')
    const ours = await backstage.camera(own.empresaId)
    const stored: number[] = []
    for (let i = 0; i < 5; i += 1) stored.push(await backstage.event(ours))
    const seen: number[] = []
    let next: string | undefined = '/api/v1/events?limit=2&tipo=invasao'
    for (let page = 0; next && page < 9; page += 1) {
      const answer: Answer<Evento[]> = await own.admin.send<Evento[]>('GET', next)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-total-count')).toBe(String(stored.length + page))
      seen.push(...answer.body.map(({ id }) => id))
      await backstage.event(ours)
      next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(stored.reverse())
  })

  it.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'offset=-1',
    'camera_id=1e3',
    'camera_id=',
    'tipo=terremoto',
    'veredito=talvez',
    'certeza=media',
    'cursor=djI6MQ',
    'cursor=%00',
    'desde=ontem',
    'ate=2026-11-20T00:00:00Z&desde=2026-11-20T00:00:01Z',
  ])('refuses %s', async (query) => {
    const { status, body } = await conta.admin.send<{ detail: { loc: string[] }[] }>('GET', `/api/v1/events?${query}`)
    expect(status).toBe(422)
    expect(body.detail[0]?.loc).toEqual(['query', query.split('=')[0]])
  })

  it('shows no events of another account', async () => {
    expect((await conta.admin.send('GET', `/api/v1/events?empresa_id=${outra.empresaId}`)).status).toBe(404)
    for (const path of [`/api/v1/events/${foreignId}`, `/api/v1/crops/${foreignId}`])
      expect((await conta.admin.send('GET', path)).status).toBe(404)
    expect(await list('?limit=200', app.operator)).toContain(foreignId)
    expect((await fetch(`${app.url}/api/v1/events`)).status).toBe(401)
    expect((await fetch(`${app.url}/api/v1/crops/${at(0)}`)).status).toBe(401)
  })
})

describe('GET /events/{id}', () => {
  it('adds the path of the crop and the human review', async () => {
    const event = await conta.usuario.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${at(0)}`)
    expect(event.crop_path).toMatch(/^eventos\/2026\/11\/21\/.+-crop\.jpg$/)
    expect(event.revisao).toBeNull()
  })

  it('answers 404 for a missing event and 422 for an invalid id', async () => {
    expect((await conta.admin.send('GET', '/api/v1/events/999999')).status).toBe(404)
    expect((await conta.admin.send('GET', '/api/v1/events/abc')).status).toBe(422)
  })
})

describe('further pictures of an event', () => {
  const url = () => `/api/v1/crops/${at(0)}?evidencia=1`
  beforeAll(async () => {
    const caminho = 'evidencias/2026/11/21/a.jpg'
    await createFileMediaStore({ dir: join(app.dataDir, 'cloud/media') }).put(caminho, FRAME)
    const row = { uuid: 'a', evento_id: at(0), ordem: 1, fonte: 'sub', dt_ms: -600, redetectada: 1 } as const
    const stored = { ...row, caixas_json: '[]', caminho, sha256: '', recebida_em: 1 }
    await backstage.db.insertInto('evidencias').values(stored).execute()
  })

  it('are listed with the event and shown', async () => {
    const event = await conta.usuario.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${at(0)}`)
    expect(event.evidencias).toEqual([
      { ordem: 1, fonte: 'sub', dt_ms: -600, redetectada: true, caixas: [], url: url() },
    ])
    const answer = await fetch(`${app.url}${url()}`, { headers: { authorization: `Bearer ${conta.usuario.token}` } })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(FRAME)
  })

  it('are in the scope of their event only', async () => {
    expect((await outra.admin.send('GET', url())).status).toBe(404)
    expect((await fetch(`${app.url}${url()}`)).status).toBe(401)
    expect((await conta.usuario.send('GET', `/api/v1/crops/${at(0)}?evidencia=2`)).status).toBe(404)
    expect((await conta.usuario.send('GET', `/api/v1/crops/${at(0)}?evidencia=x`)).status).toBe(422)
  })
})

describe('GET /crops/{id}', () => {
  it('returns the picture with a private cache', async () => {
    const answer = await fetch(`${app.url}/api/v1/crops/${at(0)}`, {
      headers: { authorization: `Bearer ${conta.usuario.token}` },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(answer.headers.get('cache-control')).toMatch(/^private/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(JPEG)
  })

  it('returns the whole frame on request', async () => {
    const path = `${app.url}/api/v1/crops/${at(0)}?imagem=`
    const headers = { authorization: `Bearer ${conta.usuario.token}` }
    const frame = await fetch(`${path}quadro`, { headers })
    expect(Buffer.from(await frame.arrayBuffer())).toEqual(FRAME)
    expect((await fetch(`${path}outra`, { headers })).status).toBe(422)
    expect((await fetch(`${path}quadro`)).status).toBe(401)
  })

  it('answers 404 without a picture and for a missing file', async () => {
    const without = await backstage.event(foreign, { crop_path: null })
    expect((await outra.admin.send('GET', `/api/v1/crops/${without}`)).status).toBe(404)
    const { crop_path } = await outra.admin.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${foreignId}`)
    await rm(join(app.dataDir, 'cloud/media', crop_path ?? ''))
    expect((await outra.admin.send('GET', `/api/v1/crops/${foreignId}`)).status).toBe(404)
  })
})

describe('GET /metrics', () => {
  const noPassages = { total: 0, permitida: 0, bloqueada: 0, desconhecida: 0, sem_placa: 0 }
  it('counts events in scope', async () => {
    expect(await conta.usuario.expect<Metricas>(200, 'GET', '/api/v1/metrics')).toEqual({
      total: 6,
      por_tipo: { invasao: 5, fogo: 1 },
      por_gravidade: { alta: 5, critica: 1 },
      por_veredito: { confirmado: 2, refutado: 1, pendente: 3 },
      por_certeza: { alta: 2, baixa: 1 },
      revisoes: { total: 0, concordam: 0, discordam: 0 },
      passagens: noPassages,
    })
    const ofCamera = await conta.admin.expect<Metricas>(200, 'GET', `/api/v1/metrics?camera_id=${camera.cameraId}`)
    expect(ofCamera.total).toBe(3)
    expect(await outra.admin.expect<Metricas>(200, 'GET', `/api/v1/metrics?camera_id=${camera.cameraId}`)).toEqual({
      total: 0,
      por_tipo: {},
      por_gravidade: {},
      por_veredito: { confirmado: 0, refutado: 0, pendente: 0 },
      por_certeza: { alta: 0, baixa: 0 },
      revisoes: { total: 0, concordam: 0, discordam: 0 },
      passagens: noPassages,
    })
    expect((await conta.admin.send('GET', `/api/v1/metrics?empresa_id=${outra.empresaId}`)).status).toBe(404)
    expect((await conta.admin.send('GET', '/api/v1/metrics?camera_id=-1')).status).toBe(422)
  })
})

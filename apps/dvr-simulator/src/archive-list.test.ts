import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { listRecorded } from '@vigia/rtsp/archive/list-recorded'
import { createLoginGate } from '@vigia/rtsp/login-gate'
import type { RecorderClock } from '@vigia/rtsp/playback-urls'
import { afterAll, describe, expect, it } from 'vitest'
import { listSchema } from './archive-http/settings.ts'
import type { ArchiveSettings } from './rtsp/archive.ts'
import { createSimulator, type Simulator } from './simulator.ts'
import { footageFile } from './test/clips.ts'

const CLIP = footageFile('campus-b-sub.mp4')
const DAY = Date.UTC(2026, 0, 1, 3, 0, 0)
const at = (minute: number) => DAY + minute * 60_000
/** Two parts with a gap of 100 minutes. */
const trechos = [
  { inicio: at(10), fim: at(200) },
  { inicio: at(300), fim: at(1000) },
]
const held = trechos.map(({ inicio, fim }) => ({ fromMs: inicio, toMs: fim }))
const started: Simulator[] = []
afterAll(() => Promise.all(started.map((one) => one.stop())))

const paths = {
  dahua: (canal: number) => `/cam/realmonitor?channel=${canal}&subtype=0`,
  hikvision: (canal: number) => `/Streaming/Channels/${canal}01`,
}
type Maker = keyof typeof paths

async function record(list: object = {}, gravacao: Partial<ArchiveSettings> = {}) {
  const simulator = createSimulator({
    porta: 0,
    usuario: 'admin',
    senha: 'senha-1',
    canais: [{ principal: CLIP }, { principal: CLIP }],
    gravacao: { trechos, lista: listSchema.parse({ porta: 0, ...list }), ...gravacao },
  })
  started.push(simulator)
  const { porta, portaLista } = await simulator.start()
  const gate = createLoginGate({ trust: false })
  const utc: RecorderClock = { offsetMs: 0, zoneMin: 0, zIsLocal: false }
  return {
    simulator,
    ports: [portaLista ?? 0] as const,
    list: (maker: Maker, { canal = 1, senha = 'senha-1', clock = utc, ports = [portaLista ?? 0] } = {}) =>
      listRecorded(
        `rtsp://admin:${senha}@127.0.0.1:${porta}${paths[maker](canal)}`,
        { fromMs: DAY, toMs: at(1440) },
        {
          clock,
          gate,
          ports,
          maxSpans: 500,
          signal: AbortSignal.timeout(20_000),
          allowed: parseAllowedCidrs('127.0.0.0/8'),
        },
      ),
  }
}

const local: RecorderClock = { offsetMs: 40_000, zoneMin: -180, zIsLocal: true }
const wall = { fusoMin: -180, relogioS: 40 }

describe.concurrent('the list of a recorder', () => {
  it.each([
    ['Dahua as in the manual', 'dahua', {}],
    ['Dahua with channels from 0', 'dahua', { canalInicial: 0 }],
    ['Dahua that refuses the type', 'dahua', { semTipos: true }],
    ['Dahua with short times and pages', 'dahua', { semZeros: true, pagina: 3 }],
    ['Hikvision', 'hikvision', {}],
    ['Hikvision in pages', 'hikvision', { pagina: 4 }],
    ['Hikvision that ignores the position', 'hikvision', { pagina: 4, ignoraPosicao: true }],
    ['Hikvision that accepts the short form only', 'hikvision', { forma: 'curta' }],
    ['Hikvision that accepts the full form only', 'hikvision', { forma: 'completa' }],
    ['Hikvision with the offset of its zone', 'hikvision', { comDesvio: true }],
  ] as const)('%s', async (_name, maker, list) => {
    const recorder = await record(list, { ...wall, z: 'local' })
    for (const canal of [1, 2]) {
      const listed = await recorder.list(maker, { canal, clock: local })
      expect(listed).toMatchObject({ ok: true, isComplete: true, spans: held })
    }
    expect(recorder.simulator.contagem).toMatchObject({ lista_logins_recusados: 0, lista_buscas_abertas: 0 })
  })

  it('Hikvision with Z as UTC', async () => {
    const recorder = await record({}, { ...wall, z: 'utc' })
    const listed = await recorder.list('hikvision', { clock: { ...local, zIsLocal: false } })
    expect(listed).toMatchObject({ ok: true, spans: held })
  })

  it.each(['dahua', 'hikvision'] as const)('%s: is empty for a channel or a day without recordings', async (maker) => {
    const recorder = await record({}, { trechos: [] })
    expect(await recorder.list(maker)).toMatchObject({ ok: true, spans: [] })
    const other = await record()
    expect(await other.list(maker, { canal: 9 })).toMatchObject({ ok: true, spans: [] })
  })

  it.each(['dahua', 'hikvision'] as const)('%s: tries a wrong password once', async (maker) => {
    const recorder = await record()
    for (let attempt = 0; attempt < 3; attempt++)
      expect(await recorder.list(maker, { senha: 'errada' })).toEqual({ ok: false, falha: 'senha_recusada' })
    expect(recorder.simulator.contagem).toMatchObject({ lista_logins_recusados: 1 })
  })

  it.each(['dahua', 'hikvision'] as const)('%s: says that the login may not play recordings', async (maker) => {
    const recorder = await record({ semPermissao: true })
    expect(await recorder.list(maker)).toEqual({ ok: false, falha: 'sem_permissao' })
  })

  it.each([
    ['no XML', 'nada aqui'],
    ['nested XML', '<a>'.repeat(50_000)],
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><CMSearchResult>&b;</CMSearchResult>'],
    ['a time without sense', 'found=1\r\nitems[0].StartTime=9999-99-99 99:99:99\r\nitems[0].EndTime=x\r\n'],
    ['a finder with another command', 'result=1&action=destroy\r\n'],
  ])('survives %s', async (_name, corpo) => {
    const recorder = await record({ corpo })
    for (const maker of ['dahua', 'hikvision'] as const)
      expect(await recorder.list(maker)).toEqual({ ok: false, falha: 'sem_lista' })
  })

  it('ends where a recorder repeats a page without an end', async () => {
    const item = `<timeSpan><startTime>${new Date(at(20)).toISOString().slice(0, 19)}Z</startTime>`
    const end = `<endTime>${new Date(at(30)).toISOString().slice(0, 19)}Z</endTime></timeSpan>`
    const corpo =
      '<CMSearchResult><responseStatusStrg>MORE</responseStatusStrg><matchList><searchMatchItem>' +
      `${item}${end}</searchMatchItem></matchList></CMSearchResult>`
    const recorder = await record({ corpo })
    const listed = await recorder.list('hikvision')
    expect(listed).toMatchObject({ ok: true, isComplete: false, spans: [{ fromMs: at(20), toMs: at(30) }] })
    expect(recorder.simulator.contagem?.lista_pedidos).toBeLessThan(10)
  })

  it('asks the next port, and says that no port has a list', async () => {
    const recorder = await record()
    const [open] = recorder.ports
    // Nobody listens on port 1.
    expect(await recorder.list('dahua', { ports: [1, open] })).toMatchObject({ ok: true, porta: open, spans: held })
    expect(await recorder.list('dahua', { ports: [1] })).toEqual({ ok: false, falha: 'sem_lista' })
  })
})

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CameraDesejada, Desejado } from '@vigia/contracts/edge-state'
import { createSealKeyPair, type SealPrivateJwk, type SealPublicJwk, seal } from '@vigia/link/sealed'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { type Applied, createDesiredState } from './desired.ts'
import { createDesiredStore } from './desired-store.ts'

const URL = 'rtsp://u:segredo@10.0.0.5/1'
let dir = ''
let db: EdgeDb
let keys: { publicJwk: SealPublicJwk; privateJwk: SealPrivateJwk }
let applied: Applied[] = []
let sequences: [number, number][] = []
let output = ''

const keep = (line: string) => {
  output += line
}

beforeEach(async () => {
  dir = temporaryFolder('vigia-desejado-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  keys = await createSealKeyPair()
  ;[applied, sequences, output] = [[], [], '']
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
  expect(output).not.toContain('segredo')
})

const state = () =>
  createDesiredState({
    store: createDesiredStore(db),
    key: keys.privateJwk,
    log: pino({ level: 'debug' }, { write: keep }),
    onApplied: (one) => applied.push(one),
    onSequence: (cameraId, seq) => sequences.push([cameraId, seq]),
  })

async function camera(rest: Partial<CameraDesejada> = {}, fontes: object = { rtsp_url: URL, sub_rtsp_url: null }) {
  return {
    id: 1,
    nome: 'Portão',
    ativa: true,
    analises: [],
    zonas: [],
    linha: [],
    fuso_horario: 'America/Manaus',
    fontes: await seal(keys.publicJwk, fontes),
    ultimo_seq: 0,
    ...rest,
  }
}
const desired = async (versao: number, ...cameras: CameraDesejada[]): Promise<Desejado> => ({
  v: 1,
  versao,
  cameras,
  limite_reenvio_kbps: null,
  identidade_duplicada: false,
  recursos: [],
})

describe('createDesiredState', () => {
  it('opens its sealed addresses and creates a task for each active camera', async () => {
    await state().receive(await desired(1, await camera(), await camera({ id: 2, ativa: false })))
    expect(applied[0]?.cameras.map(({ task }) => task?.fontes ?? null)).toEqual([
      { rtsp_url: URL, sub_rtsp_url: null },
      null,
    ])
    expect(applied[0]?.cameras[0]?.task?.fusoHorario).toBe('America/Manaus')
  })

  it('ignores an older version and a repeated one', async () => {
    const current = state()
    await current.receive(await desired(5, await camera()))
    await current.receive(await desired(5))
    await current.receive(await desired(4))
    expect(applied).toHaveLength(1)
    await current.receive(await desired(6))
    expect(current.applied).toEqual({
      versao: 6,
      cameras: [],
      limiteReenvioKbps: null,
      recursos: [],
      gravacaoContinuaMb: 20_000,
    })
  })

  it('applies versions in order however fast they arrive', async () => {
    const current = state()
    await Promise.all([current.receive(await desired(2, await camera())), current.receive(await desired(1))])
    expect(applied.map(({ versao }) => versao)).toEqual([2])
  })

  it('continues after a restart without a message from the cloud', async () => {
    await state().receive(await desired(3, await camera()))
    const restarted = state()
    await restarted.restore()
    expect(restarted.applied.versao).toBe(3)
    expect(applied.at(-1)?.cameras[0]?.task?.fontes.rtsp_url).toBe(URL)
    await restarted.receive(await desired(2))
    expect(restarted.applied.versao).toBe(3)
  })

  it.each([
    ['sealed for another edge', async () => ({ fontes: await seal((await createSealKeyPair()).publicJwk, {}) })],
    ['not sealed at all', async () => ({ fontes: URL })],
    [
      'a path of a local file',
      async () => ({ fontes: await seal(keys.publicJwk, { rtsp_url: '/etc/passwd', sub_rtsp_url: null }) }),
    ],
  ])('configures the other cameras when the addresses of one are %s', async (_, rest) => {
    await state().receive(await desired(1, await camera(await rest()), await camera({ id: 2 })))
    expect(applied[0]?.cameras.map(({ task }) => task?.id ?? null)).toEqual([null, 2])
  })

  it('uses the default time zone instead of an unknown one', async () => {
    await state().receive(await desired(1, await camera({ fuso_horario: 'Marte/Olympus' })))
    expect(applied[0]?.cameras[0]?.task?.fusoHorario).toBe('America/Sao_Paulo')
  })

  it('reports the count of each camera, also when only the count has changed', async () => {
    const current = state()
    await current.receive(await desired(5, await camera({ ultimo_seq: 7 })))
    await current.receive(await desired(5, await camera({ ultimo_seq: 9 })))
    await current.receive(await desired(4, await camera({ ultimo_seq: 99 })))
    expect(sequences).toEqual([
      [1, 7],
      [1, 9],
    ])
    expect(applied).toHaveLength(1)
  })

  it('applies the limit for the backlog', async () => {
    const current = state()
    await current.receive({ ...(await desired(1)), limite_reenvio_kbps: 512 })
    expect(current.applied.limiteReenvioKbps).toBe(512)
    await current.receive(await desired(2))
    expect(current.applied.limiteReenvioKbps).toBeNull()
  })

  it('logs once that another edge uses its identity, and once that this has ended', async () => {
    const current = state()
    for (const versao of [1, 2]) await current.receive({ ...(await desired(versao)), identidade_duplicada: true })
    for (const versao of [3, 4]) await current.receive(await desired(versao))
    expect(output.match(/Outra caixa usa a identidade desta caixa/g)).toHaveLength(1)
    expect(output.match(/Só esta caixa usa/g)).toHaveLength(1)
  })
})

it('applies and keeps new resources of the cloud without a new version', async () => {
  const current = state()
  await current.receive(await desired(6))
  await current.receive({ ...(await desired(6)), recursos: ['evidencia'] })
  expect(current.applied.recursos).toEqual(['evidencia'])
  const restarted = state()
  await restarted.restore()
  expect(restarted.applied.recursos).toEqual(['evidencia'])
})

it('follows the windows and the holidays of a later cloud, and the Agenda of an earlier one', async () => {
  const horarios = [
    { dias: [0, 4], inicio: '18:30', fim: '06:00' },
    { dias: [], inicio: '12:00', fim: '24:00' },
  ]
  const agenda = { inicio: 12, fim: 6, dias: [] }
  const feriados = { datas: ['2027-01-01'], dia: 6 }
  const analise = { ia: 'invasao' as const, calibracao: {}, agenda }
  const cameras = [
    await camera({ id: 1, analises: [{ ...analise, horarios }], feriados }),
    await camera({ id: 2, analises: [analise] }),
  ]
  await state().receive(await desired(1, ...cameras))
  const tasks = applied[0]?.cameras.map(({ task }) => [task?.analises[0]?.agenda, task?.feriados])
  expect(tasks).toEqual([
    [
      [
        { dias: [0, 4], inicio: 18.5, fim: 6 },
        { dias: [], inicio: 12, fim: 24 },
      ],
      feriados,
    ],
    [agenda, undefined],
  ])
})

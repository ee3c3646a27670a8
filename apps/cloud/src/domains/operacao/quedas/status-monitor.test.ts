import type { Queda } from '@vigia/contracts/eventos'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bus, createBus } from '../../../adapters/bus.ts'
import type { Database } from '../../../db/open.ts'
import { onlyReplica } from '../../../replicas/replica.ts'
import { openTempDatabase, seedCanal, type TempDatabase } from '../../../test/records/queue-records.ts'
import { seedCamera, seedOneCamera } from '../../../test/records/records.ts'
import { roomyDisk } from '../../../test/stand-ins/roomy-disk.ts'
import { createStatusMonitor } from './status-monitor.ts'

let temp: TempDatabase
let db: Database
let origin: Awaited<ReturnType<typeof seedCamera>>
let bus: Bus
let published: Queda[]
let watch: ReturnType<typeof createStatusMonitor>
const link = { connected: true }
/** Wall clock and monotonic clock in ms. */
let wall: number
let at: number

const restart = () => {
  bus = createBus()
  bus.subscribe((aviso) => {
    if (aviso.tipo === 'queda') published.push(aviso.queda)
  })
  const log = pino({ level: 'silent' })
  watch = createStatusMonitor({
    db,
    clock: { now: () => wall },
    monotonic: () => at,
    bus,
    link,
    log,
    disk: roomyDisk,
    replica: onlyReplica,
  })
}

beforeEach(async () => {
  temp = await openTempDatabase()
  db = temp.db
  origin = await seedCamera(db)
  published = []
  wall = Date.parse('2026-11-09T13:00:00Z')
  at = 5_000
  link.connected = true
  restart()
})
afterEach(() => temp.close())

interface Site {
  /** Whether the edge reports (every second here). */
  readonly edge?: boolean
  /** Cameras with frames. */
  readonly frames?: readonly number[]
}

/** Runs `seconds` checks, one second apart, with these states of edge and cameras. */
async function pass(seconds: number, { edge = true, frames = [origin.cameraId] }: Site = {}) {
  for (let i = 0; i < seconds; i += 1) {
    wall += 1000
    at += 1000
    if (edge) {
      await db.updateTable('edges').set({ presente: 1, visto_em: wall }).where('id', '=', origin.edgeId).execute()
      await db
        .updateTable('cameras')
        .set(({ ref }) => ({
          relato_em: wall,
          relato_estado: 'falha',
          relato_motivo: 'sem_video',
          ultimo_frame_em: ref('ultimo_frame_em'),
        }))
        .where('edge_id', '=', origin.edgeId)
        .execute()
      for (const id of frames)
        await db
          .updateTable('cameras')
          .set({ relato_estado: 'online', relato_motivo: null, ultimo_frame_em: wall })
          .where('id', '=', id)
          .execute()
    }
    await watch.check()
  }
}
/** Quedas of edges first. */
const rows = () =>
  db
    .selectFrom('quedas')
    .selectAll()
    .orderBy('camera_id', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .execute()
const siteRows = async () => (await rows()).filter(({ motivo }) => motivo !== 'central_parada')
const iso = (epochMs: number) => new Date(epochMs).toISOString()
/** This time exceeds the grace period after a start. */
const settle = () => pass(61)
const queued = async () =>
  (await db.selectFrom('entregas').select('mensagem_json').orderBy('id').execute()).map(
    ({ mensagem_json }) => JSON.parse(mensagem_json) as { tipo: string; queda: Queda; empresa: { id: number } },
  )
const kinds = async () => (await queued()).map(({ tipo }) => tipo)
const listen = (empresa_id = origin.empresaId) => seedCanal(db, { empresa_id, destino: 'https://exemplo.com.br/' })

describe('a camera', () => {
  it('without frames has a queda from its last frame to the next, and both changes are notified', async () => {
    await listen()
    await settle()
    const last = wall
    await pass(44, { frames: [] })
    expect(await rows()).toEqual([])
    await pass(6, { frames: [] })
    expect(await rows()).toMatchObject([
      {
        empresa_id: origin.empresaId,
        edge_id: origin.edgeId,
        camera_id: origin.cameraId,
        nome: 'Portão',
        inicio: last,
        fim: null,
        motivo: 'sem_video',
      },
    ])
    await pass(10, { frames: [] })
    const back = wall + 1000
    await pass(20)
    expect(await rows()).toMatchObject([{ inicio: last, fim: back }])
    expect(published).toMatchObject([
      {
        camera_id: origin.cameraId,
        inicio: iso(last),
        fim: null,
        motivo_texto: expect.stringContaining('não oferece vídeo'),
      },
      { camera_id: origin.cameraId, inicio: iso(last), fim: iso(back) },
    ])
    expect(await queued()).toMatchObject([
      {
        tipo: 'camera.offline',
        camera: { id: origin.cameraId },
        edge: { id: origin.edgeId, nome: 'Caixa' },
        queda: { fim: null },
      },
      { tipo: 'camera.online', queda: { fim: iso(back) } },
    ])
  })

  it('with interruptions below half a minute has no queda', async () => {
    await listen()
    await settle()
    for (let i = 0; i < 5; i += 1) {
      await pass(40, { frames: [] })
      await pass(3)
    }
    expect([await rows(), await queued(), published]).toEqual([[], [], []])
  })

  it.each([
    ['switched off', () => db.updateTable('cameras').set({ ativa: 0 }).execute()],
    ['removed', () => db.deleteFrom('cameras').execute()],
  ])('that is %s has no queda, and an open one ends without a notification', async (_, change) => {
    await listen()
    await settle()
    await pass(60, { frames: [] })
    await change()
    await pass(1, { frames: [] })
    expect(await rows()).toMatchObject([{ camera_id: origin.cameraId, fim: wall }])
    expect(published).toMatchObject([{ fim: null }, { fim: iso(wall) }])
    expect(await kinds()).toEqual(['camera.offline'])
    await pass(60, { frames: [] })
    expect(await rows()).toHaveLength(1)
  })

  it('without an activated edge has no queda', async () => {
    const waiting = {
      nome: 'Nova',
      empresa_id: origin.empresaId,
      local: 0,
      codigo_hash: null,
      codigo_expira_em: null,
    } as const
    const never = { ativado_em: null, chave_cifra_json: null, visto_em: null, relato_json: null, criado_em: 1 }
    const { id } = await db
      .insertInto('edges')
      .values({ ...waiting, ...never })
      .returning('id')
      .executeTakeFirstOrThrow()
    await seedOneCamera(db, origin.empresaId, id)
    await pass(150)
    expect(await rows()).toEqual([])
  })
})

describe('an edge', () => {
  it('without contact has a queda, as do its cameras, but only the queda of the edge is notified', async () => {
    await listen()
    await settle()
    const last = wall
    await pass(60, { edge: false })
    expect((await rows()).map(({ camera_id, inicio, motivo }) => [camera_id, inicio, motivo])).toEqual([
      [null, last, 'sem_contato'],
      [origin.cameraId, last, 'edge_offline'],
    ])
    await pass(20)
    expect((await rows()).map(({ fim }) => fim)).toEqual([last + 61_000, last + 61_000])
    expect(await queued()).toMatchObject([
      { tipo: 'edge.offline', camera: null, edge: { id: origin.edgeId, nome: 'Caixa' }, queda: { nome: 'Caixa' } },
      { tipo: 'edge.online', camera: null },
    ])
  })

  it('that returns without the camera causes the notification of the camera', async () => {
    await listen()
    await settle()
    await pass(60, { edge: false })
    await pass(40, { frames: [] })
    expect(await kinds()).toEqual(['edge.offline', 'edge.online', 'camera.offline'])
    expect(await rows()).toMatchObject([{ motivo: 'sem_contato' }, { motivo: 'sem_video', fim: null }])
    await pass(20)
    expect(await kinds()).toEqual(['edge.offline', 'edge.online', 'camera.offline', 'camera.online'])
  })

  it('that serves many Empresas is notified to each with an active camera on it', async () => {
    const other = await seedCamera(db)
    const idle = await seedCamera(db)
    await db.updateTable('edges').set({ empresa_id: null, local: 1 }).where('id', '=', origin.edgeId).execute()
    await db.updateTable('cameras').set({ edge_id: origin.edgeId }).where('id', '=', other.cameraId).execute()
    await db.updateTable('cameras').set({ edge_id: origin.edgeId, ativa: 0 }).where('id', '=', idle.cameraId).execute()
    await db.deleteFrom('edges').where('id', 'in', [other.edgeId, idle.edgeId]).execute()
    for (const { empresaId } of [origin, other, idle]) await listen(empresaId)
    await pass(61, { frames: [origin.cameraId, other.cameraId] })
    await pass(60, { edge: false })
    expect((await queued()).map(({ tipo, empresa }) => [tipo, empresa.id])).toEqual([
      ['edge.offline', origin.empresaId],
      ['edge.offline', other.empresaId],
    ])
    const quedas = (await rows()).map(({ camera_id, empresa_id }) => [camera_id, empresa_id])
    expect(quedas).toEqual([
      [null, null],
      [origin.cameraId, origin.empresaId],
      [other.cameraId, other.empresaId],
    ])
  })
})

describe('the cloud', () => {
  it('begins no queda of a site in the minute after its start, and none for its own absence', async () => {
    await settle()
    wall += 7_200_000
    at = 1_000
    restart()
    const started = wall + 1000
    await pass(59, { edge: false })
    expect(await siteRows()).toEqual([])
    await pass(5, { edge: false })
    expect(await siteRows()).toMatchObject([
      { camera_id: null, inicio: started },
      { camera_id: origin.cameraId, inicio: started },
    ])
  })

  it('accepts the time of loss that an edge reports for a camera', async () => {
    await settle()
    const last = wall
    wall += 7_200_000
    restart()
    await pass(65, { frames: [] })
    expect(await siteRows()).toMatchObject([{ camera_id: origin.cameraId, inicio: last }])
  })

  it('continues open quedas after a restart without repeated notifications', async () => {
    await listen()
    await settle()
    await pass(60, { edge: false })
    const before = await rows()
    restart()
    await pass(120, { edge: false })
    expect(await rows()).toEqual(before)
    restart()
    const back = wall + 1000
    await pass(20)
    expect((await rows()).map(({ fim }) => fim)).toEqual([back, back])
    expect(await kinds()).toEqual(['edge.offline', 'edge.online'])
  })

  it('begins no queda without a broker connection', async () => {
    await settle()
    link.connected = false
    await pass(600, { edge: false })
    link.connected = true
    const again = wall + 1000
    await pass(59, { edge: false })
    expect(await rows()).toEqual([])
    await pass(10, { edge: false })
    expect(await rows()).toMatchObject([{ camera_id: null, inicio: again }, { camera_id: origin.cameraId }])
  })

  it.each([3_600_000, -3_600_000])('begins no queda when its clock jumps by %i ms', async (jump) => {
    await settle()
    wall += jump
    await pass(120)
    expect(await rows()).toEqual([])
    await pass(60, { edge: false })
    expect((await rows()).map(({ motivo }) => motivo)).toEqual(['sem_contato', 'edge_offline'])
  })

  it('keeps an edge whose report came during the check, or to a replica whose clock is ahead', async () => {
    await settle()
    await db
      .updateTable('edges')
      .set({ visto_em: wall + 1_500 })
      .execute()
    await watch.check()
    const edges = await db.selectFrom('edges').select('presente').where('ativado_em', 'is not', null).execute()
    expect(edges).toEqual([{ presente: 1 }])
  })

  it('detects an edge that stops while the clock is set back', async () => {
    await settle()
    wall -= 3_600_000
    await pass(60, { edge: false })
    const [queda] = await rows()
    expect(queda).toMatchObject({ motivo: 'sem_contato', camera_id: null })
    expect(queda?.inicio).toBeLessThanOrEqual(wall)
  })
})

it('writes the queda and its notifications atomically', async () => {
  await listen()
  await settle()
  await db.updateTable('canais_notificacao').set({ agenda_json: 'torn' }).execute()
  await expect(pass(60, { frames: [] })).rejects.toThrow()
  expect([await rows(), published]).toEqual([[], []])
  await db.updateTable('canais_notificacao').set({ agenda_json: '{}' }).execute()
  await pass(1, { frames: [] })
  expect(await rows()).toHaveLength(1)
  expect(await kinds()).toEqual(['camera.offline'])
})

describe('the time without the cloud', () => {
  it('is a queda after a minute, recorded once by several processes', async () => {
    await watch.check()
    const stopped = wall
    wall += 3_600_000
    restart()
    const other = watch
    restart()
    await watch.check()
    await other.check()
    expect(await rows()).toMatchObject([
      { motivo: 'central_parada', edge_id: null, camera_id: null, inicio: stopped, fim: stopped + 3_600_000 },
    ])
  })

  it('is no queda at the first start, after a short restart, or when the clock of a process jumps', async () => {
    await watch.check()
    wall += 59_000
    restart()
    await watch.check()
    await pass(11)
    wall += 3_600_000
    await pass(11)
    expect(await rows()).toEqual([])
  })
})

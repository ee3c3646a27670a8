import type { CanalCreate } from '@vigia/contracts/notificacoes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockRow } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { saveSilencio } from '../../../db/silencios.ts'
import { transact } from '../../../db/transaction.ts'
import {
  giveVerdict,
  openTempDatabase,
  seedCanal,
  seedPending,
  type TempDatabase,
} from '../../../test/records/queue-records.ts'
import { seedActivatedEdge, seedCamera, seedOneCamera } from '../../../test/records/records.ts'
import { enqueueQueda, type QuedaNotice } from './enqueue.ts'
import { enqueueVerdict } from './report-evento.ts'

let temp: TempDatabase
let db: Database
let origin: Awaited<ReturnType<typeof seedCamera>>
let count = 0
beforeEach(async () => {
  temp = await openTempDatabase()
  db = temp.db
  origin = await seedCamera(db)
})
afterEach(() => temp.close())

const url = () => {
  count += 1
  return `https://exemplo.com.br/${count}`
}
const canal = (given: Partial<CanalCreate> = {}) =>
  seedCanal(db, { empresa_id: origin.empresaId, destino: url(), ...given })
const queued = async () => {
  const rows = await db.selectFrom('entregas').selectAll().orderBy('id').execute()
  return rows.map(({ canal_id, destino, estado, mensagem_id, mensagem_json }) => ({
    canal_id,
    destino,
    estado,
    mensagem_id,
    mensagem: JSON.parse(mensagem_json),
  }))
}
/** As in the transaction of a verdict, which locks its event first. */
const queueVerdict = (id: number) =>
  transact(db, async (tx) => {
    await lockRow(tx, 'eventos', id)
    await enqueueVerdict(tx, id, 5)
  })
const channels = async () => (await queued()).map(({ canal_id }) => canal_id)
/** A Monday, 10h in São Paulo. */
const MONDAY_10H = Date.parse('2026-11-09T13:00:00Z')

describe('a confirmed event', () => {
  it('is queued with its verdict, once per canal and destination, under one id', async () => {
    const [a, b] = [await canal({ destinatarios: [url(), url()] }), await canal({ tipos_evento: ['fogo', 'invasao'] })]
    const id = await seedPending(db, origin)
    await giveVerdict(db, id)
    const rows = await queued()
    expect(rows.map(({ canal_id, destino }) => [canal_id, destino])).toEqual([
      ...[a.destino, ...a.destinatarios].map((destino) => [a.id, destino]),
      [b.id, b.destino],
    ])
    expect(new Set(rows.map(({ mensagem_id }) => mensagem_id)).size).toBe(1)
    expect(rows[0]?.mensagem).toMatchObject({
      tipo: 'evento.confirmado',
      id: rows[0]?.mensagem_id,
      empresa: { id: origin.empresaId, nome: 'Loja', fusoHorario: 'America/Sao_Paulo' },
      camera: { id: origin.cameraId, nome: 'Portão' },
      evento: { id, veredito: { decisao: 'confirmado' } },
    })
    await queueVerdict(id)
    expect(await queued()).toEqual(rows)
    const other = await seedPending(db, origin)
    await giveVerdict(db, other)
    expect(new Set((await queued()).map(({ mensagem_id }) => mensagem_id)).size).toBe(2)
  })

  it('skips canais whose filters exclude it', async () => {
    const sibling = await seedOneCamera(db, origin.empresaId, origin.edgeId)
    await canal({ ativo: false })
    await canal({ camera_id: sibling })
    await canal({ tipos_evento: ['fogo'] })
    await canal({ destino: '' })
    const other = await seedCamera(db)
    await canal({ empresa_id: other.empresaId })
    const wanted = [await canal({ camera_id: origin.cameraId }), await canal({ avisar_quedas: false })]
    await giveVerdict(db, await seedPending(db, origin))
    expect(await channels()).toEqual(wanted.map(({ id }) => id))
  })

  it('skips canais whose lowest severity is above its own', async () => {
    const wanted = [await canal({ gravidade_min: 'media' }), await canal({ gravidade_min: 'alta' })]
    await canal({ gravidade_min: 'critica' })
    await giveVerdict(db, await seedPending(db, origin))
    expect(await channels()).toEqual(wanted.map(({ id }) => id))
  })

  it('that is uncertain skips canais that want only certain ones', async () => {
    const [any, certain] = [await canal(), await canal({ certeza_min: 'alta' })]
    await giveVerdict(db, await seedPending(db, origin), 'confirmado', 'baixa')
    expect(await channels()).toEqual([any.id])
    await giveVerdict(db, await seedPending(db, origin))
    expect(await channels()).toEqual([any.id, any.id, certain.id])
  })

  it('that becomes certain later reaches canais that want only certain ones', async () => {
    const [any, certain] = [await canal(), await canal({ certeza_min: 'alta' })]
    const id = await seedPending(db, origin)
    await giveVerdict(db, id, 'confirmado', 'baixa')
    await db.updateTable('eventos').set({ veredito_certeza: 'alta' }).where('id', '=', id).execute()
    await queueVerdict(id)
    expect(await channels()).toEqual([any.id, certain.id])
  })

  it('is checked against the Agenda at its own time, not at its confirmation', async () => {
    const [day, night] = [
      await canal({ agenda: { inicio: 8, fim: 18 } }),
      await canal({ agenda: { inicio: 18, fim: 8 } }),
    ]
    await giveVerdict(db, await seedPending(db, origin, MONDAY_10H))
    expect(await channels()).toEqual([day.id])
    await giveVerdict(db, await seedPending(db, origin, MONDAY_10H + 12 * 3_600_000))
    expect(await channels()).toEqual([day.id, night.id])
  })

  it('of an uncertain time is in every Agenda', async () => {
    const { id } = await canal({ agenda: { inicio: 18, fim: 8 } })
    const event = await seedPending(db, origin, MONDAY_10H)
    await db.updateTable('eventos').set({ hora_de: 1, hora_ate: 2 }).where('id', '=', event).execute()
    await giveVerdict(db, event)
    expect(await channels()).toEqual([id])
  })

  it('of a silenced camera is queued only if it is critical or reports an obstruction', async () => {
    const { id } = await canal()
    const silencio = { camera_id: origin.cameraId, desde: 0, por_username: 'rui', por_usuario_id: null }
    await saveSilencio(db, { ...silencio, ate: Date.now() + 60_000 })
    await giveVerdict(db, await seedPending(db, origin))
    expect(await channels()).toEqual([])
    const obstructed = await seedPending(db, origin)
    await db.updateTable('eventos').set({ tipo: 'camera_obstruida' }).where('id', '=', obstructed).execute()
    const critical = await seedPending(db, origin)
    await db.updateTable('eventos').set({ gravidade: 'critica' }).where('id', '=', critical).execute()
    for (const event of [obstructed, critical]) await giveVerdict(db, event)
    expect(await channels()).toEqual([id, id])
    await saveSilencio(db, { ...silencio, ate: Date.now() - 1 })
    await giveVerdict(db, await seedPending(db, origin))
    expect(await channels()).toEqual([id, id, id])
  })

  it('is not queued while pending, when refuted, or after a rollback', async () => {
    await canal()
    await giveVerdict(db, await seedPending(db, origin), 'refutado')
    const id = await seedPending(db, origin)
    const undone = transact(db, async (tx) => {
      await lockRow(tx, 'eventos', id)
      await enqueueVerdict(tx, id, 5)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await queued()).toEqual([])
  })
})

describe('a queda', () => {
  const queda = {
    id: 3,
    empresa_id: null,
    edge_id: 1,
    camera_id: null,
    nome: 'Caixa',
    inicio: new Date(MONDAY_10H).toISOString(),
    fim: null,
    motivo: 'sem_contato',
    motivo_texto: 'Sem contato.',
  }
  const tell = (news: Partial<QuedaNotice> = {}) =>
    transact(db, async (tx) => {
      const [empresaId, cameraIds] = [origin.empresaId, [origin.cameraId]]
      const notice = { tipo: 'edge.offline', camera: null, edge: { id: 1, nome: 'Caixa' }, queda } as const
      await lockRow(tx, 'empresas', empresaId)
      await enqueueQueda(tx, { ...notice, empresaId, cameraIds, ...news }, MONDAY_10H)
    })

  it('goes to canais with avisar_quedas, independently of their event filters', async () => {
    const elsewhere = await seedOneCamera(db, origin.empresaId, await seedActivatedEdge(db, origin.empresaId))
    await canal({ avisar_quedas: false })
    await canal({ camera_id: elsewhere })
    await canal({ agenda: { inicio: 18, fim: 8 } })
    const wanted = [
      await canal({ tipos_evento: ['fogo'] }),
      await canal({ camera_id: origin.cameraId }),
      await canal({ agenda: { inicio: 8, fim: 18 } }),
    ]
    await tell()
    await tell()
    expect(await channels()).toEqual(wanted.map(({ id }) => id))
    expect((await queued())[0]?.mensagem).toMatchObject({ tipo: 'edge.offline', queda, edge: { id: 1 }, camera: null })
  })

  it('sends two messages for start and end, each checked against the Agenda at its time', async () => {
    const night = await canal({ agenda: { inicio: 18, fim: 8 } })
    const fim = new Date(MONDAY_10H + 10 * 3_600_000).toISOString()
    await tell()
    await tell({ tipo: 'edge.online', queda: { ...queda, fim } })
    expect(await channels()).toEqual([night.id])
    const all = await canal()
    await tell()
    await tell({ tipo: 'edge.online', queda: { ...queda, fim } })
    const ids = (await queued()).flatMap(({ canal_id, mensagem_id }) => (canal_id === all.id ? [mensagem_id] : []))
    expect(new Set(ids).size).toBe(2)
  })

  it('sends one message at the end if the start was not delivered', async () => {
    const [notified, waits] = [await canal(), await canal()]
    const day = await canal({ agenda: { inicio: 8, fim: 18 } })
    await tell()
    await db.updateTable('entregas').set({ estado: 'entregue' }).where('canal_id', '=', notified.id).execute()
    // The queda ends in the evening, so that the daytime canal receives only the start.
    await tell({
      tipo: 'edge.online',
      queda: { ...queda, fim: new Date(MONDAY_10H + 10 * 3_600_000).toISOString() },
    })
    const states = (await queued()).map(({ canal_id, estado, mensagem }) => [canal_id, mensagem.tipo, estado])
    expect(states).toEqual([
      [notified.id, 'edge.offline', 'entregue'],
      [waits.id, 'edge.offline', 'desistida'],
      [day.id, 'edge.offline', 'pendente'],
      [notified.id, 'edge.online', 'pendente'],
      [waits.id, 'edge.online', 'pendente'],
    ])
  })
})

import { randomUUID } from 'node:crypto'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, it } from 'vitest'
import { changeCamera } from '../../domains/locais/cameras/change-camera.ts'
import { createCamera } from '../../domains/locais/cameras/create-camera.ts'
import { putFeriados } from '../../domains/locais/cameras/put-feriados.ts'
import { addRenewed } from '../../domains/locais/edges/certificates-store.ts'
import { deleteEdge } from '../../domains/locais/edges/change-edge.ts'
import { changeCanal } from '../../domains/mensagens/notificacoes/change-canal.ts'
import { createChave } from '../../domains/pessoas/chaves/create-chave.ts'
import { operatorCaller } from '../../test/clients/operator-caller.ts'
import { queueBox as box, loopbackSenders, seedCanal } from '../../test/records/queue-records.ts'
import { seedActivatedEdge, seedCamera } from '../../test/records/records.ts'
import { expectCured, openTwoPools, together } from '../../test/walks/races.ts'
import type { Database } from '../open.ts'

const clock = { now: () => Date.now() }
const desired = { changed: () => {} }

let empresaId: number
let edgeId: number
const pools = fixture(openTwoPools)

beforeAll(async () => {
  ;({ empresaId, edgeId } = await seedCamera(pools.one))
})

it('8: a limit of an Empresa, and four renewals of a certificate in a day', async () => {
  await pools.one.updateTable('empresas').set({ limite_chaves: 1 }).execute()
  await expectCured(pools, {
    row: '8, Empresa and edge',
    rounds: 15,
    round: async (one, two) => {
      await pools.one.deleteFrom('chaves').execute()
      await pools.one.deleteFrom('certificados_edge').execute()
      const key = (db: Database) => () =>
        createChave({ db, clock }, operatorCaller, { empresa_id: empresaId, nome: randomUUID(), escopo: 'leitura' })
      const keys = await together(key(one), key(two))
      const now = clock.now()
      const certificate = () => ({ sha256: randomUUID(), serial: randomUUID(), vence_em: now + 1 })
      for (let n = 0; n < 3; n += 1) await addRenewed(pools.one, edgeId, certificate(), now)
      const renew = (db: Database) => () => addRenewed(db, edgeId, certificate(), now)
      const renewed = await together(renew(one), renew(two))
      return keys.length - 1 + (renewed.filter((done) => done).length - 1)
    },
  })
})

it('11: a new camera has an edge while another edge is removed', async () => {
  await expectCured(pools, {
    row: '11',
    rounds: 15,
    round: async (one, two) => {
      const extra = await seedActivatedEdge(pools.one, empresaId)
      const input = { nome: 'Nova', rtsp_url: 'rtsp://192.0.2.9/1', empresa_id: empresaId }
      const camera = () => createCamera({ db: one, clock, box, desired }, operatorCaller, input, async () => new Map())
      const edges = { db: two, clock, desired, allowed: { changed: async () => {}, stop: async () => {} } }
      const done = await together<unknown>(camera, () => deleteEdge(edges, operatorCaller, extra))
      const rows = await pools.one.selectFrom('cameras').select('edge_id').where('nome', '=', 'Nova').execute()
      await pools.one.deleteFrom('cameras').where('nome', '=', 'Nova').execute()
      await pools.one.deleteFrom('edges').where('id', '=', extra).execute()
      return done.length === 2 && rows.length === 1 && rows[0]?.edge_id === edgeId ? 0 : 1
    },
  })
})

it('17: two changes of one canal are both kept', async () => {
  const { id } = await seedCanal(pools.one, { empresa_id: empresaId, destino: 'http://127.0.0.1:1/' })
  await expectCured(pools, {
    row: '17',
    rounds: 20,
    round: async (one, two, n) => {
      const deps = (db: Database) => ({
        db,
        clock,
        box,
        senders: loopbackSenders(clock),
        webhookPermitir: [],
        testLimit: { consume: async () => {} },
        wake: () => {},
      })
      const names = [`canal ${n}`, `canal ${n} de novo`]
      const before = { nome: '', intervalo_s: 120 }
      await pools.one.updateTable('canais_notificacao').set(before).where('id', '=', id).execute()
      await together(
        () => changeCanal(deps(one), operatorCaller, id, { nome: names[0] ?? '' }),
        () => changeCanal(deps(two), operatorCaller, id, { intervalo_s: 300 }),
      )
      const of = pools.one.selectFrom('canais_notificacao').select(['nome', 'intervalo_s']).where('id', '=', id)
      const { nome, intervalo_s } = await of.executeTakeFirstOrThrow()
      return nome === names[0] && intervalo_s === 300 ? 0 : 1
    },
  })
})

it('18: no camera follows a list of holidays that is gone', async () => {
  const { id } = await pools.one.selectFrom('cameras').select('id').orderBy('id').executeTakeFirstOrThrow()
  const lista = 'Nacionais'
  await expectCured(pools, {
    row: '18',
    rounds: 15,
    round: async (one, two) => {
      await pools.one.updateTable('cameras').set({ horarios_json: '{}' }).where('id', '=', id).execute()
      const feriados_json = JSON.stringify([{ nome: lista, datas: ['2027-01-01'] }])
      await pools.one.updateTable('empresas').set({ feriados_json }).where('id', '=', empresaId).execute()
      const deps = (db: Database) => ({ db, clock, box, desired })
      const done = await together<unknown>(
        () => changeCamera(deps(one), operatorCaller, id, { horarios: { feriados: { lista, dia: 6 } } }),
        () => putFeriados(deps(two), operatorCaller, empresaId, []),
      )
      return done.length === 2 ? 1 : 0
    },
  })
})

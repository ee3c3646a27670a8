import { waitFor } from '@vigia/testing/wait'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../db/open.ts'
import { CAMERAS_OF_ORDER, ORDERS, ORDERS_OF_EMPRESA, orderTakeBack } from '../../../db/recolhimentos.ts'
import type { CanalRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Backstage, openBackstage } from '../../../test/clouds/backstage.ts'
import { ADMIN, startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { openTempDatabase, seedCanal, type TempDatabase } from '../../../test/records/queue-records.ts'
import { seedCamera } from '../../../test/records/records.ts'

/** No broker listens there. */
const NOWHERE = 'mqtt://127.0.0.1:1/casa'
const credenciais = { usuario: 'vigia', senha: 'senha' }

const ordersIn = (db: Database) => db.selectFrom('recolhimentos').selectAll().orderBy('id').execute()
const worksIn = (db: Database) =>
  db.selectFrom('trabalhos').select('chave').where('tipo', '=', 'recolhimento').orderBy('id').execute()

describe('the orders of a canal', () => {
  let temp: TempDatabase
  let canal: CanalRow
  beforeEach(async () => {
    temp = await openTempDatabase()
    const { empresaId } = await seedCamera(temp.db)
    const { id } = await seedCanal(temp.db, { tipo: 'mqtt', empresa_id: empresaId, destino: NOWHERE, credenciais })
    const rows = temp.db.deleteFrom('canais_notificacao').where('id', '=', id)
    canal = await rows.returningAll().executeTakeFirstOrThrow()
  })
  afterEach(() => temp.close())

  const order = (cameras: readonly number[], of = canal) =>
    transact(temp.db, (tx) => orderTakeBack(tx, [{ canal: of, cameras }], 1))
  const count = (n: number, from = 1) => Array.from({ length: n }, (_, i) => from + i)

  it('have a limit of cameras', async () => {
    await order(count(2 * CAMERAS_OF_ORDER + 1))
    const sizes = (await ordersIn(temp.db)).map(({ cameras_json }) => JSON.parse(cameras_json).length)
    expect(sizes).toEqual([CAMERAS_OF_ORDER, CAMERAS_OF_ORDER, 1])
  })

  it('have a limit per Empresa: the oldest ends first, and those of a neighbour stay', async () => {
    const other = await seedCamera(temp.db)
    await order([1], { ...canal, empresa_id: other.empresaId })
    await order(count(ORDERS_OF_EMPRESA * CAMERAS_OF_ORDER))
    const [neighbour, first] = await ordersIn(temp.db)
    await Promise.all([order([90_001]), order([90_002])])
    const left = await ordersIn(temp.db)
    expect(left).toHaveLength(ORDERS_OF_EMPRESA + 1)
    expect(left[0]).toEqual(neighbour)
    expect(left.map(({ id }) => id)).not.toContain(first?.id)
  })

  it('end those of the Empresa with the most at the limit of the installation', async () => {
    const empresas = ORDERS / ORDERS_OF_EMPRESA
    const some = count(ORDERS_OF_EMPRESA * CAMERAS_OF_ORDER)
    for (const empresa_id of count(empresas, 1_000)) await order(some, { ...canal, empresa_id })
    await order([1])
    const left = await ordersIn(temp.db)
    expect(left).toHaveLength(ORDERS)
    expect(left.filter(({ empresa_id }) => empresa_id === canal.empresa_id)).toHaveLength(1)
  })
})

describe('orders of a removed Empresa', () => {
  let app: TestApp
  let backstage: Backstage
  beforeAll(async () => {
    app = await startTestApp({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8' })
    backstage = await openBackstage(app)
  })
  afterAll(async () => {
    await backstage.close()
    await app.stop()
  })

  it('outlive it, also those that waited before', async () => {
    const { empresaId, admin } = await app.account('Filial')
    const body = { tipo: 'mqtt', empresa_id: empresaId, credenciais }
    const camera = { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.1:1/1' }
    await admin.expect(201, 'POST', '/api/v1/cameras', camera)
    const made = await admin.expect<{ id: number }>(201, 'POST', '/api/v1/notificacoes', { ...body, destino: NOWHERE })
    await admin.expect(201, 'POST', '/api/v1/notificacoes', { ...body, destino: `${NOWHERE}/dois` })
    await admin.expect(204, 'DELETE', `/api/v1/notificacoes/${made.id}`)
    await app.operator.expect(202, 'DELETE', `/api/v1/empresas/${empresaId}`, { senha: ADMIN.password })
    const { db } = backstage
    const row = db.selectFrom('empresas').select('id').where('id', '=', empresaId)
    await waitFor('the end of the Empresa', async () => (await row.execute()).length === 0)
    const orders = await ordersIn(db)
    expect(orders.map(({ destino }) => destino)).toEqual([NOWHERE, `${NOWHERE}/dois`])
    expect((await worksIn(db)).map(({ chave }) => Number(chave))).toEqual(orders.map(({ id }) => id))
  })
})

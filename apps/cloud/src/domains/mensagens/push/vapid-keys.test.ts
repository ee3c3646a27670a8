import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSecretBox } from '../../../adapters/secret-box.ts'
import { openTempDatabase, queueBox, type TempDatabase } from '../../../test/records/queue-records.ts'
import { createVapidKeys } from './vapid-keys.ts'

let temp: TempDatabase
beforeEach(async () => {
  temp = await openTempDatabase()
})
afterEach(() => temp.close())

const keys = (box = queueBox) => createVapidKeys({ db: temp.db, clock: { now: Date.now }, box })

it('are created once, also by concurrent processes, and stored encrypted', async () => {
  const [a, b] = await Promise.all([keys().current(), keys().current()])
  expect(a).toEqual(b)
  expect(await keys().current()).toEqual(a)
  const rows = await temp.db.selectFrom('chaves_vapid').selectAll().execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(a.privada)
})

it('are replaced, with their subscriptions, when they cannot be decrypted', async () => {
  const lost = await keys(createSecretBox(Buffer.alloc(32, 9))).current()
  const login = {
    username: 'rui',
    username_chave: 'rui',
    senha_hash: '',
    papel: 'vigilante',
    empresa_id: null,
  } as const
  const { id } = await temp.db
    .insertInto('usuarios')
    .values({ ...login, criado_em: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await temp.db
    .insertInto('inscricoes_push')
    .values({
      usuario_id: id,
      endpoint_hash: 'x',
      destino_cifrado: '',
      servico: 'push.exemplo.com.br',
      contato: 'https://vigia.exemplo.com.br',
      gravidade_min: 'alta',
      nome: 'Celular',
      criada_em: 0,
    })
    .execute()
  const fresh = await keys().current()
  expect(fresh.publica).not.toBe(lost.publica)
  expect(await temp.db.selectFrom('inscricoes_push').selectAll().execute()).toEqual([])
})

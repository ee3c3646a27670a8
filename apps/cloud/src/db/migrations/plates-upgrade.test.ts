import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { seedCamera } from '../../test/records/records.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import type { Tables } from '../tables.ts'

it('shows plates to the vigilantes of earlier Empresas and to the programs of earlier canais', async () => {
  const dir = temporaryFolder('vigplates-ias-')
  const file = join(dir, 'vigia.db')
  const former = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new SqliteDatabase(file) }) })
  await migrate(former, '0048-portao')
  const { empresaId: empresa_id } = await seedCamera(former)
  const fields = {
    empresa_id,
    destino: '',
    destinatarios_json: '[]',
    ativo: 1 as const,
    camera_id: null,
    agenda_json: '{}',
    tipos_evento_json: '[]',
    segredo_cifrado: null,
    criado_em: 0,
    atualizado_em: 0,
  }
  const tipos = ['webhook', 'email', 'whatsapp', 'telegram', 'mqtt'] as const
  const canais = tipos.map((tipo) => ({ ...fields, tipo }))
  await former.insertInto('canais_notificacao').values(canais).execute()
  await former.destroy()

  const db = await openDatabase(file)
  try {
    const empresa = await db.selectFrom('empresas').selectAll().where('id', '=', empresa_id).executeTakeFirstOrThrow()
    expect(empresa.esconder_placas_vigilante).toBe(0)
    const rows = await db.selectFrom('canais_notificacao').select(['tipo', 'placas']).orderBy('id').execute()
    const values = Object.fromEntries(rows.map(({ tipo, placas }) => [tipo, placas]))
    expect(values).toEqual({ webhook: 1, email: 0, whatsapp: 0, telegram: 0, mqtt: 1 })
  } finally {
    await db.destroy()
    rmSync(dir, { recursive: true })
  }
})

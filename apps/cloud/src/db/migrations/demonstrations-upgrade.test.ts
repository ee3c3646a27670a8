import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { insertEmpresa } from '../../domains/pessoas/empresas/store.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'

it('marks the demonstration of an earlier release, unless a device of a customer is in it', async () => {
  const dir = temporaryFolder('vigia-demonstracao-')
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new SqliteDatabase(join(dir, 'vigia.db')) }),
  })
  try {
    await migrate(db, '0012-desired-size')
    const create = async (nome: string, hosts: readonly string[]) => {
      const fields = { nome, fuso_horario: 'America/Sao_Paulo', criada_em: 0, limite_cameras: 9, empresa_pai_id: null }
      const { id } = await insertEmpresa(db, fields)
      for (const host of hosts)
        await db
          .insertInto('gravadores')
          .values({
            empresa_id: id,
            nome: 'Gravador da demonstração',
            fabricante: 'intelbras',
            host,
            porta: 554,
            usuario: 'vigia',
            senha_cifrada: '',
            num_canais: 3,
            criado_em: 0,
            atualizado_em: 0,
            url_template: null,
            sub_url_template: null,
            edge_id: null,
          })
          .execute()
      return id
    }
    const plain = await create('Demonstração', ['127.0.0.1'])
    const others = [
      await create('Demonstração', ['127.0.0.1', '192.168.0.20']),
      await create('Demonstração', []),
      await create('Padaria', ['127.0.0.1']),
    ]
    await migrate(db)
    const marked = await db.selectFrom('empresas').select('id').where('demonstracao', '=', 1).execute()
    expect(marked).toEqual([{ id: plain }])
    expect(others).not.toContain(plain)
  } finally {
    await db.destroy()
    rmSync(dir, { recursive: true })
  }
})

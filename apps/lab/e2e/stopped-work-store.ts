import { join } from 'node:path'
import type { Installation } from '@vigia/testing/installation'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'

/** Inserts a stopped verification of a deleted event, as if its picture had not arrived. */
export async function stopWork({ dataDir, banco }: Installation, empresaId: number): Promise<void> {
  const now = Date.now()
  const insert = `insert into trabalhos
      (tipo, chave, raiz_id, empresa_id, prioridade, estado, tentativas, criado_em, erro, erro_em)
    values ('verificacao', '1000000001', ${empresaId}, ${empresaId}, 1, 'parado', 1, ${now},
      'A imagem deste evento não está disponível.', ${now})`
  if (banco === undefined) {
    const db = new SqliteDatabase(join(dataDir, 'cloud/vigia.db'), { timeout: 5_000 })
    try {
      db.exec(insert)
    } finally {
      db.close()
    }
    return
  }
  const client = new pg.Client({ connectionString: banco })
  await client.connect()
  try {
    await client.query(insert)
  } finally {
    await client.end()
  }
}

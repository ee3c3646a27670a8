import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'

/** Inserts a stopped verification of a deleted event, as if its picture had not arrived. */
export function stopWork(dataDir: string, empresaId: number): void {
  const db = new SqliteDatabase(join(dataDir, 'cloud/vigia.db'))
  try {
    db.pragma('busy_timeout = 5000')
    db.prepare(
      `insert into trabalhos
           (tipo, chave, raiz_id, empresa_id, prioridade, estado, tentativas, criado_em, erro, erro_em)
         values ('verificacao', '1000000001', ?, ?, 1, 'parado', 1, ?,
           'A imagem deste evento não está disponível.', ?)`,
    ).run(empresaId, empresaId, Date.now(), Date.now())
  } finally {
    db.close()
  }
}

import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'

/** Inserts rows that no short run creates: a queda, a file to delete, an abandoned notification. */
export function fillRest(dataDir: string, { raizId, empresaId, edgeId, cameraId, canalId, now }: Filling): void {
  change(join(dataDir, 'cloud/vigia.db'), (db) => {
    db.prepare(
      'insert into quedas (empresa_id, edge_id, camera_id, nome, inicio, fim, motivo) values (?, ?, ?, ?, ?, ?, ?)',
    ).run(empresaId, edgeId, cameraId, 'Portão', now - 7_200_000, now - 3_600_000, 'video_parado')
    db.prepare('insert into midias_a_apagar (caminho, apagando) values (?, 0)').run('dataset/confirmado/antes.jpg')
    const delivery = db.prepare(
      `insert into entregas (canal_id, destino, mensagem_id, mensagem_json, estado, criada_em, terminada_em, erro,
         erro_em)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    const destino = 'https://127.0.0.1:1/a'
    const failed = ['{}', 'desistida', now - 86_400_000, now - 60_000, 'HTTP 500', now - 60_000]
    const { lastInsertRowid } = delivery.run(canalId, destino, '0191f0c4-7b3a-7c5e-9d2f-000000000001', ...failed)
    const done = ['{}', 'entregue', now - 50_000, now - 50_000, null, null]
    delivery.run(canalId, destino, '0191f0c4-7b3a-7c5e-9d2f-000000000002', ...done)
    db.prepare(
      `insert into trabalhos (tipo, chave, raiz_id, empresa_id, faixa, grupo, prioridade, estado, tentativas, criado_em,
         erro, erro_em)
         values ('notificacao_lenta', ?, ?, ?, 'webhook:127.0.0.1:1', ?, 0, 'parado', 9, ?, 'HTTP 500', ?)`,
    ).run(String(lastInsertRowid), raizId, empresaId, destino, now - 86_400_000, now - 60_000)
    db.prepare('insert into destinos_lentos (destino, falhas, pausado_ate, visto_em) values (?, 9, ?, ?)').run(
      destino,
      now - 60_000,
      now - 60_000,
    )
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.exec('vacuum')
  })
  change(join(dataDir, 'edge/edge.db'), (db) => {
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.exec('vacuum')
  })
}

export interface Filling {
  /** The parent Empresa of `empresaId`. */
  readonly raizId: number
  readonly empresaId: number
  readonly edgeId: number
  readonly cameraId: number
  readonly canalId: number
  readonly now: number
}

/** Empty tables by file. */
export function emptyTables(dataDir: string): string[] {
  return ['cloud/vigia.db', 'edge/edge.db'].flatMap((file) =>
    change(join(dataDir, file), (db) =>
      tablesOf(db)
        .filter((name) => db.prepare(`select count(*) from "${name}"`).pluck().get() === 0)
        .map((name) => `${file}: ${name}`),
    ),
  )
}

const tablesOf = (db: SqliteDatabase.Database): string[] =>
  db
    .prepare<[], { name: string }>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => name)

/** Name of the newest migration that ran on the cloud's database. */
export const lastMigration = (dataDir: string): string =>
  change(join(dataDir, 'cloud/vigia.db'), (db) =>
    String(db.prepare('select max(name) from kysely_migration').pluck().get()),
  )

/** Marks the database as one of a future release. */
export const pretendNewer = (dataDir: string): void =>
  change(join(dataDir, 'cloud/vigia.db'), (db) => {
    db.prepare('insert into kysely_migration (name, timestamp) values (?, ?)').run('9999-future', '2099-01-01')
  })

function change<T>(file: string, run: (db: SqliteDatabase.Database) => T): T {
  const db = new SqliteDatabase(file)
  try {
    return run(db)
  } finally {
    db.close()
  }
}

/** Errors that SQLite finds in the database of the cloud; `[]`: intact, without dangling references. */
export const faultsOf = (dataDir: string): unknown[] =>
  change(join(dataDir, 'cloud/vigia.db'), (db) => {
    const damage = db.pragma('integrity_check', { simple: true })
    return [...(damage === 'ok' ? [] : [damage]), ...(db.pragma('foreign_key_check') as unknown[])]
  })

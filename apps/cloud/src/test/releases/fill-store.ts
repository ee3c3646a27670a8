import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { loadOrCreateKeys } from '../../adapters/key-file.ts'
import { createSecretBox } from '../../adapters/secret-box.ts'
import { secretPurposes } from '../../adapters/secret-purposes.ts'
import { JPEG } from '../records/records.ts'
import { descartadoOf } from './recorded-edge.ts'

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
    db.prepare(
      'insert or replace into destinos_lentos (destino, falhas, pausado_ate, visto_em) values (?, 9, ?, ?)',
    ).run(destino, now - 60_000, now - 60_000)
    insert(db, 'segredos_instalacao', { id: 1, cifrado: sealedAuthority(dataDir) })
    fillRows(db, { raizId, empresaId, edgeId, cameraId, canalId, now })
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.exec('vacuum')
  })
  change(join(dataDir, 'edge/edge.db'), (db) => {
    const [clip, event] = ['0197a000-0000-7000-8000-0000000000c1', '0197a000-0000-7000-8000-0000000000e1']
    const extra = descartadoOf(1, now)
    const header = JSON.stringify(extra)
    insert(db, 'extras', { id: extra.id, kind: extra.tipo, candidate: extra.id, header, bytes: JPEG })
    insert(db, 'clips', { id: clip, camera_id: 1, started_at: now, bytes: 9, sha256: '00'.repeat(32), kept_at: now })
    insert(db, 'clip_events', { event, camera_id: 1, since: now, clip })
    insert(db, 'cameras_away', { camera_id: 1 })
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.exec('vacuum')
  })
}

/** The CA as a replica stores it, sealed with the key in the folder: no setting of this machine opens it. */
function sealedAuthority(dataDir: string): string {
  const [key] = loadOrCreateKeys(join(dataDir, 'cloud/chave'))
  const pem = (name: string) => readFileSync(join(dataDir, 'pki', name), 'utf8')
  const files = JSON.stringify({ certificado: pem('ca.pem'), chave: pem('ca.key') })
  return createSecretBox(key).seal(files, secretPurposes.segredoInstalacao(1))
}

type Values = Readonly<Record<string, string | number | null | Buffer>>

function insert(db: SqliteDatabase.Database, table: string, values: Values): void {
  const columns = Object.keys(values)
  const marks = columns.map(() => '?')
  db.prepare(`insert into "${table}" (${columns.join()}) values (${marks.join()})`).run(...Object.values(values))
}

/** Rows of the tables that later releases added, about times before `now`. */
function fillRows(db: SqliteDatabase.Database, { empresaId, edgeId, cameraId, now }: Filling): void {
  const idOf = (table: string, order = 'asc') =>
    Number(db.prepare(`select id from "${table}" order by id ${order} limit 1`).pluck().get())
  const replica = '0197a000-0000-4000-8000-0000000000a1'
  const [ended, day] = [now - 60_000, Math.floor(now / 86_400_000) - 1]
  const evento = idOf('eventos')
  const push = { inscricao_id: idOf('inscricoes_push'), evento_id: evento, etiqueta: `evento-${evento}` }
  insert(db, 'envios_push', { ...push, criado_em: now - 90_000 })
  insert(db, 'presencas', { empresa_id: empresaId, abaixo: 1, inicio: now - 600_000, fim: ended })
  // Nothing is left to index below the first id.
  insert(db, 'busca_preenchimento', { alvo: 'eventos', ate_id: 1 })
  insert(db, 'vlm_usos', { empresa_id: empresaId, mes: '2026-10', chamadas: 3, tokens_entrada: 900, tokens_saida: 90 })
  const credential = { hash: '11'.repeat(32), edge_id: edgeId, finalidade: 'clipe', alvo: replica, vence_em: ended }
  insert(db, 'credenciais_edge', { ...credential, usada_em: ended })
  insert(db, 'transmissoes', { camera_id: cameraId, fluxo: 'sub', replica, epoca: 3, vence_em: ended })
  insert(db, 'ptz', { camera_id: cameraId, quem: 'usuario:1', por: 'Ana', vence_em: ended, fora: 0 })
  const removed = { empresa_id: empresaId, dia: day, tipo: 'eventos', quantos: 4, de: ended - 9_000, ate: ended }
  insert(db, 'apagados_retencao', removed)
  insert(db, 'auditoria_varrida', { empresa_id: empresaId, ate: now - 730 * 86_400_000 })
  const discarded = { uuid: '0197a000-0000-7000-8000-0000000000d1', edge_id: edgeId, empresa_id: empresaId }
  insert(db, 'clipes_a_descartar', { ...discarded, desde: now })
  // Leases that have ended, of a replica that no longer runs.
  insert(db, 'replicas', { id: replica, url: 'http://127.0.0.1:1', ate: ended })
  insert(db, 'posses', { nome: 'partida', replica, ate: ended, epoca: 2 })
  insert(db, 'vistas', { edge_id: edgeId, tipo: 'ao_vivo', replica, desejo_json: '{}', ate: ended })
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

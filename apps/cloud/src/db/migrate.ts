import { type LongStep, unwatchedStep } from '@vigia/runtime/heartbeat'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { DataError } from './errors.ts'
import { initialSchema } from './migrations/0001-initial-schema.ts'
import { gravadorTables } from './migrations/0002-recorders-and-channels.ts'
import { eventLists } from './migrations/0003-event-lists.ts'
import { sessionsAndLogins } from './migrations/0004-sessions-and-logins.ts'
import { quedaTables } from './migrations/0005-link-and-outages.ts'
import { agentsAndAudit } from './migrations/0006-agents-and-audit.ts'
import { seeing } from './migrations/0007-seeing.ts'
import { quotas } from './migrations/0008-quotas.ts'
import { eventIds } from './migrations/0009-event-ids.ts'
import { workQueue } from './migrations/0010-work-queue.ts'
import { secondFactorAndKeys } from './migrations/0011-second-factor-and-keys.ts'
import { desiredSize } from './migrations/0012-desired-size.ts'
import { incidentes } from './migrations/0013-incidentes.ts'
import { sessionChains } from './migrations/0014-session-chains.ts'
import { push } from './migrations/0015-push.ts'
import { invitations } from './migrations/0016-invitations.ts'
import { lookingBack } from './migrations/0017-looking-back.ts'
import { scansAndDemonstrations } from './migrations/0018-scans-and-demonstrations.ts'
import { provas } from './migrations/0019-provas.ts'
import { cameraDetails } from './migrations/0020-camera-details.ts'
import { canalNames } from './migrations/0021-canal-names.ts'
import { centralContact } from './migrations/0022-central-contact.ts'
import { certeza } from './migrations/0023-certeza.ts'
import { evidencias } from './migrations/0024-evidencias.ts'
import { vlm } from './migrations/0025-vlm.ts'
import { concordancia } from './migrations/0026-concordancia.ts'
import { descartados } from './migrations/0027-descartados.ts'
import { mensagens } from './migrations/0028-mensagens.ts'
import { redesPermitidas } from './migrations/0029-redes-permitidas.ts'
import { remetentes } from './migrations/0029-remetentes.ts'
import { clipes } from './migrations/0030-clipes.ts'
import { transmissoes } from './migrations/0031-transmissoes.ts'
import { ptz } from './migrations/0033-ptz.ts'
import { retencao } from './migrations/0034-retencao.ts'
import { mascaras } from './migrations/0035-mascaras.ts'
import { gravacoes } from './migrations/0036-gravacoes.ts'
import { gravacaoContinua } from './migrations/0040-gravacao-continua.ts'
import { apagamentos } from './migrations/0041-apagamentos.ts'
import { audio } from './migrations/0042-audio.ts'
import { copiasDeClipes } from './migrations/0043-copias-de-clipes.ts'
import { maxConexoes } from './migrations/0044-max-conexoes.ts'
import { passagens } from './migrations/0045-passagens.ts'
import { presenca } from './migrations/0046-presenca.ts'
import { correcao } from './migrations/0047-correcao.ts'
import { portao } from './migrations/0048-portao.ts'
import { esconderPlacas } from './migrations/0049-esconder-placas.ts'
import { qualidadeLeitura } from './migrations/0050-qualidade-leitura.ts'
import { limitesDeUso } from './migrations/0051-limites-de-uso.ts'
import { replicas } from './migrations/0053-replicas.ts'
import { listaDeRevogacao } from './migrations/0055-lista-de-revogacao.ts'
import { traceparent } from './migrations/0056-traceparent.ts'
import { registroDeDados } from './migrations/0060-registro-de-dados.ts'
import { bytes } from './migrations/0065-bytes.ts'
import { relogio } from './migrations/0066-relogio.ts'
import { efeitos } from './migrations/0069-efeitos.ts'
import { donoDoQuiosque } from './migrations/0070-dono-do-quiosque.ts'
import { mascaraAplicada } from './migrations/0071-mascara-aplicada.ts'
import { edgeLocal } from './migrations/0072-edge-local.ts'
import { espacoDosClipes } from './migrations/0073-espaco-dos-clipes.ts'
import { carimbosDuvidosos } from './migrations/0074-carimbos-duvidosos.ts'
import { respostasPerdidas } from './migrations/0075-respostas-perdidas.ts'
import type { Tables } from './tables.ts'

/** Ordered by name; a released migration is never edited. */
const migrations: Record<string, Migration> = {
  '0001-initial-schema': initialSchema,
  '0002-recorders-and-channels': gravadorTables,
  '0003-event-lists': eventLists,
  '0004-sessions-and-logins': sessionsAndLogins,
  '0005-link-and-outages': quedaTables,
  '0006-agents-and-audit': agentsAndAudit,
  '0007-seeing': seeing,
  '0008-quotas': quotas,
  '0009-event-ids': eventIds,
  '0010-work-queue': workQueue,
  '0011-second-factor-and-keys': secondFactorAndKeys,
  '0012-desired-size': desiredSize,
  '0013-incidentes': incidentes,
  '0014-session-chains': sessionChains,
  '0015-push': push,
  '0016-invitations': invitations,
  '0017-looking-back': lookingBack,
  '0018-scans-and-demonstrations': scansAndDemonstrations,
  '0019-provas': provas,
  '0020-camera-details': cameraDetails,
  '0021-canal-names': canalNames,
  '0022-central-contact': centralContact,
  '0023-certeza': certeza,
  '0024-evidencias': evidencias,
  '0025-vlm': vlm,
  '0026-concordancia': concordancia,
  '0027-descartados': descartados,
  '0028-mensagens': mensagens,
  '0029-redes-permitidas': redesPermitidas,
  '0029-remetentes': remetentes,
  '0030-clipes': clipes,
  '0031-transmissoes': transmissoes,
  '0033-ptz': ptz,
  '0034-retencao': retencao,
  '0035-mascaras': mascaras,
  '0036-gravacoes': gravacoes,
  '0040-gravacao-continua': gravacaoContinua,
  '0041-apagamentos': apagamentos,
  '0042-audio': audio,
  '0043-copias-de-clipes': copiasDeClipes,
  '0044-max-conexoes': maxConexoes,
  '0045-passagens': passagens,
  '0046-presenca': presenca,
  '0047-correcao': correcao,
  '0048-portao': portao,
  '0049-esconder-placas': esconderPlacas,
  '0050-qualidade-leitura': qualidadeLeitura,
  '0051-limites-de-uso': limitesDeUso,
  '0053-replicas': replicas,
  '0055-lista-de-revogacao': listaDeRevogacao,
  '0056-traceparent': traceparent,
  '0060-registro-de-dados': registroDeDados,
  '0065-bytes': bytes,
  '0066-relogio': relogio,
  '0069-efeitos': efeitos,
  '0070-dono-do-quiosque': donoDoQuiosque,
  '0071-mascara-aplicada': mascaraAplicada,
  '0072-edge-local': edgeLocal,
  '0073-espaco-dos-clipes': espacoDosClipes,
  '0074-carimbos-duvidosos': carimbosDuvidosos,
  '0075-respostas-perdidas': respostasPerdidas,
}

/** Sorted in the order in which they run. */
export const migrationNames: readonly string[] = Object.keys(migrations).sort()

/** Whether these migrations are the first ones of this release, so that its later ones continue from there. */
export const isPrefixOfMigrations = (applied: readonly string[]): boolean =>
  applied.every((name, at) => name === migrationNames[at])

/** Table of a database that a move or a restore fills; it is dropped at the end (db/transfer). */
export const UNFINISHED = 'mudanca'

/** Maximum duration of one migration. SQLite blocks the event loop during it. */
const LONGEST_MIGRATION_MS = 3_600_000

/**
 * Runs the missing migrations up to the newest one or `last`, each in a transaction. Throws if one fails: the process
 * must not run on a partially migrated schema.
 * @throws DataError if a newer release has migrated the database, or if a move into it is unfinished
 */
export async function migrate(db: Kysely<Tables>, last?: string, step: LongStep = unwatchedStep): Promise<void> {
  await refuseNewer(db)
  const watched = Object.entries(migrations).map(([name, { up }]): [string, Migration] => [
    name,
    { up: (tx) => step(`migração ${name}`, LONGEST_MIGRATION_MS, () => up(tx)) },
  ])
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(watched) },
    // Between releases a migration may arrive after one with a higher number.
    allowUnorderedMigrations: true,
  })
  // The commit may take long as well.
  const { error } = await step('migrações', LONGEST_MIGRATION_MS, () =>
    last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last),
  )
  if (error) throw new Error('database migration failed', { cause: error })
}

/** @throws DataError unless exactly the migrations of this release have run */
export async function requireMigrated(db: Kysely<Tables>): Promise<void> {
  requireComplete(await refuseNewer(db))
}

/** @throws DataError if a migration of this release is missing */
export function requireComplete(applied: readonly string[]): void {
  const names = new Set(applied)
  const missing = migrationNames.filter((name) => !names.has(name))
  if (missing.length > 0)
    throw new DataError(
      `O banco é de uma versão mais antiga da Vigia (falta ${missing[0]}). Use a versão que o serviço usa, ` +
        'ou inicie uma vez o serviço desta versão, que atualiza o banco.',
    )
}

/** @returns the names of the migrations that ran */
async function refuseNewer(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (tables.some(({ name }) => name === UNFINISHED))
    throw new DataError(
      'Este banco é o destino de uma mudança ou restauração que não terminou. Rode o mesmo comando vigia outra vez.',
    )
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const applied = rows.map(({ name }) => name)
  requireKnown(applied)
  return applied
}

/** @throws DataError if one of these migrations is of a newer release */
export function requireKnown(applied: readonly string[]): void {
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length > 0)
    throw new DataError(
      `Os dados desta pasta foram gravados por uma versão mais nova da Vigia (${unknown.join(', ')}). ` +
        'Instale essa versão ou uma mais nova, ou restaure a cópia de segurança feita antes da atualização.',
    )
}

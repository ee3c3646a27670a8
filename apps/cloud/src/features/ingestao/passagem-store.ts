import { type ModoBConfig, modoBConfigSchema } from '@vigia/contracts/cameras'
import type { Gravidade } from '@vigia/contracts/ias'
import type { SituacaoPlaca } from '@vigia/contracts/passagens'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import type { Insertable } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { NewEvento } from '../../db/rows.ts'
import type { Tables } from '../../db/tables.ts'
import { eventOf } from './passagens/evento-row.ts'
import { type PlannedPassagem, passagePathOf } from './passagens/plan-passagem.ts'

interface SaveContext {
  readonly edgeId: number
  readonly now: number
}

/**
 * Stores the passages of a batch, one record after the other, and matches their plates. Only a higher revision changes
 * a passage. The lock of the edge serializes its records.
 * @returns the events that the lists cause, without ids, in the order of the records
 */
export async function savePassagens(
  tx: Database,
  planned: readonly PlannedPassagem[],
  context: SaveContext,
): Promise<{ readonly passagemId: number; readonly evento: Omit<NewEvento, 'id'> }[]> {
  const events: { passagemId: number; evento: Omit<NewEvento, 'id'> }[] = []
  const configs = await readConfigs(tx, planned)
  for (const one of planned) {
    const config = configs.get(one.camera.id) ?? null
    const saved = await saveOne(tx, one, config, context)
    await tx
      .insertInto('registros_passagem')
      .values({ uuid: one.registro.id.toLowerCase(), edge_id: context.edgeId, passagem_id: saved.id })
      .execute()
    if (!saved.isNewSituacao || saved.situacao === null) continue
    const gravidade = severityOf(saved.situacao, config)
    if (gravidade !== null)
      events.push({ passagemId: saved.id, evento: eventOf(one, { ...saved, gravidade }, context) })
  }
  return events
}

/** Names the event in its passage. */
export const linkEvento = async (tx: Database, passagemId: number, eventoId: number): Promise<void> => {
  await tx.updateTable('passagens').set({ evento_id: eventoId }).where('id', '=', passagemId).execute()
}

async function readConfigs(tx: Database, planned: readonly PlannedPassagem[]) {
  const ids = [...new Set(planned.map(({ camera }) => camera.id))]
  if (ids.length === 0) return new Map<number, ModoBConfig>()
  const rows = await tx.selectFrom('cameras').select(['id', 'modo_b_config_json']).where('id', 'in', ids).execute()
  return new Map(
    rows.flatMap(({ id, modo_b_config_json }): [number, ModoBConfig][] => {
      const config = modoBConfigSchema.safeParse(JSON.parse(modo_b_config_json ?? 'null'))
      return config.success ? [[id, config.data]] : []
    }),
  )
}

async function saveOne(
  tx: Database,
  { registro, camera }: PlannedPassagem,
  config: ModoBConfig | null,
  { edgeId, now }: SaveContext,
) {
  const uuid = registro.passagem.toLowerCase()
  const before = await tx
    .selectFrom('passagens')
    .selectAll()
    .where('edge_id', '=', edgeId)
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  if (before && before.revisao >= registro.revisao)
    return { id: before.id, situacao: before.situacao, isNewSituacao: false, fotoPath: before.foto_path }
  const situacao = await matchPlate(tx, camera.empresa_id, registro.placa?.placa ?? null, config, now)
  const fotoPath = passagePathOf(registro, 'veiculo', now) ?? before?.foto_path ?? null
  const values = {
    revisao: registro.revisao,
    inicio: registro.inicio,
    ocorrido_em: registro.ocorrido_em,
    fim: registro.fim,
    veiculo: registro.veiculo,
    cor: registro.cor,
    direcao: registro.direcao,
    sentido: senseOf(registro, config),
    placa: registro.placa?.placa ?? null,
    pais: registro.placa?.pais ?? null,
    forma: registro.placa?.forma ?? null,
    confianca: registro.placa?.confianca ?? null,
    candidatas_json: JSON.stringify(registro.candidatas),
    situacao,
    caixa_placa_json: registro.caixa_placa === null ? null : JSON.stringify(registro.caixa_placa),
    foto_path: fotoPath,
    foto_placa_path: passagePathOf(registro, 'placa', now) ?? before?.foto_placa_path ?? null,
  } satisfies Partial<Insertable<Tables['passagens']>>
  const isNewSituacao = situacao !== before?.situacao || values.placa !== before.placa
  if (before) {
    await tx.updateTable('passagens').set(values).where('id', '=', before.id).execute()
    // The event shows the picture of its passage; nothing else names the former file.
    if (fotoPath !== before.foto_path && before.evento_id !== null)
      await tx.updateTable('eventos').set({ crop_path: fotoPath }).where('id', '=', before.evento_id).execute()
    return { id: before.id, situacao, isNewSituacao, fotoPath }
  }
  const { id } = await tx
    .insertInto('passagens')
    .values({
      ...values,
      uuid,
      empresa_id: camera.empresa_id,
      camera_id: camera.id,
      camera_nome: camera.nome,
      edge_id: edgeId,
      local: config?.local ?? null,
      recebida_em: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, situacao, isNewSituacao, fotoPath }
}

/** By the lists of the Empresa and of the camera; a block in either counts. Expired entries do not count. */
async function matchPlate(
  tx: Database,
  empresaId: number,
  placa: string | null,
  config: ModoBConfig | null,
  now: number,
): Promise<SituacaoPlaca | null> {
  if (placa === null) return null
  const listed = await tx
    .selectFrom('placas')
    .select('lista')
    .where('empresa_id', '=', empresaId)
    .where('placa', '=', placa)
    .where((eb) => eb.or([eb('validade', 'is', null), eb('validade', '>', now)]))
    .executeTakeFirst()
  if (listed?.lista === 'bloqueada' || config?.bloqueadas.includes(placa)) return 'bloqueada'
  if (listed?.lista === 'permitida' || config?.permitidas.includes(placa)) return 'permitida'
  return 'desconhecida'
}

/** Severity of the event; null: none was asked for. */
function severityOf(situacao: SituacaoPlaca, config: ModoBConfig | null): Gravidade | null {
  if (situacao === 'bloqueada') return 'alta'
  if (situacao === 'desconhecida') return config?.alertar_desconhecidas ? 'media' : null
  return config?.alertar_permitidas ? 'baixa' : null
}

function senseOf({ direcao }: RegistroPassagem, config: ModoBConfig | null): 'entrada' | 'saida' | null {
  if (config === null || config.papel === 'nenhum') return null
  if (config.papel !== 'ambos') return config.papel
  return direcao === null ? null : direcao === config.sentido_entrada ? 'entrada' : 'saida'
}

import type { ModoBConfig } from '@vigia/contracts/cameras'
import type { Gravidade } from '@vigia/contracts/ias'
import type { SituacaoPlaca } from '@vigia/contracts/passagens'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import type { Insertable } from 'kysely'
import { uncertainColumns } from '../../../db/hora-incerta.ts'
import { matchPlate, readConfigs } from '../../../db/match-placa.ts'
import { countRecords, recordBytes } from '../../../db/media-bytes.ts'
import { listForDeletion } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import type { NewEvento, PassagemRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'
import { requestOpening } from '../../mensagens/public.ts'
import { eventOf, storedFieldsOf } from './passagens/evento-row.ts'
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
  const configs = await readConfigs(tx, [...new Set(planned.map(({ camera }) => camera.id))])
  for (const one of planned) {
    const config = configs.get(one.camera.id) ?? null
    const saved = await saveOne(tx, one, config, context)
    await countRecord(tx, saved.id, one)
    await tx
      .insertInto('registros_passagem')
      .values({ uuid: one.registro.id.toLowerCase(), edge_id: context.edgeId, passagem_id: saved.id })
      .execute()
    if (saved.unchanged) continue
    const { id, situacao, cadastro, fotoPath } = saved
    await requestOpening(tx, { id, empresaId: one.camera.empresa_id }, { ...one, ...saved, config }, context.now)
    if (!saved.isNewSituacao || situacao === null) continue
    const gravidade = severityOf(situacao, config)
    if (gravidade === null) continue
    const { placa, confianca } = one.registro.placa ?? {}
    const detalhes = { passagem_id: id, placa, confianca_placa: confianca, lista: situacao, ...cadastro }
    events.push({ passagemId: id, evento: eventOf({ ...one, gravidade, fotoPath, detalhes }, context) })
  }
  return events
}

/** Each record of a passage counts, also a repeated revision: its row in `registros_passagem` stays. */
async function countRecord(tx: Database, passagemId: number, { registro, camera }: PlannedPassagem): Promise<void> {
  const bytes = recordBytes({ registro: JSON.stringify(registro) })
  await tx
    .updateTable('passagens')
    .set((eb) => ({ linha_bytes: eb('linha_bytes', '+', bytes) }))
    .where('id', '=', passagemId)
    .execute()
  countRecords(tx, [{ empresaId: camera.empresa_id, bytes }])
}

/** Names the event in its passage. */
export const linkEvento = async (tx: Database, passagemId: number, eventoId: number): Promise<void> => {
  await tx.updateTable('passagens').set({ evento_id: eventoId }).where('id', '=', passagemId).execute()
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
  if (before && before.revisao >= registro.revisao) return { id: before.id, unchanged: true } as const
  const lida = registro.placa?.placa ?? null
  const isCorrected = before != null && before.corrigida_em !== null
  const { situacao, cadastro } = isCorrected
    ? { situacao: before.situacao, cadastro: {} }
    : await matchPlate(tx, camera.empresa_id, lida, config, now)
  const fotoPath = passagePathOf(registro, 'veiculo', now) ?? before?.foto_path ?? null
  const values = {
    revisao: registro.revisao,
    inicio: registro.inicio,
    ocorrido_em: registro.ocorrido_em,
    fim: registro.fim,
    ...uncertainColumns(registro),
    veiculo: registro.veiculo,
    cor: registro.cor,
    direcao: registro.direcao,
    sentido: senseOf(registro, config),
    // A person's correction stays; the edge's reading lies beside it.
    ...(isCorrected
      ? { placa_lida: lida }
      : { placa: lida, pais: registro.placa?.pais ?? null, forma: registro.placa?.forma ?? null, situacao }),
    confianca: registro.placa?.confianca ?? null,
    candidatas_json: JSON.stringify(registro.candidatas),
    registro_json: storedFieldsOf(registro),
    caixa_placa_json: registro.caixa_placa === null ? null : JSON.stringify(registro.caixa_placa),
    qualidade_json: registro.qualidade === null ? null : JSON.stringify(registro.qualidade),
    foto_path: fotoPath,
    foto_placa_path: passagePathOf(registro, 'placa', now) ?? before?.foto_placa_path ?? null,
  } satisfies Partial<Insertable<Tables['passagens']>>
  const isNewSituacao = !isCorrected && (situacao !== before?.situacao || lida !== before.placa)
  const portaoEm = before?.portao_em ?? null
  const result = { unchanged: false, situacao, cadastro, isNewSituacao, isCorrected, fotoPath, portaoEm } as const
  if (before) {
    await tx.updateTable('passagens').set(values).where('id', '=', before.id).execute()
    // The event shows the picture of its passage; nothing else names the former file.
    if (fotoPath !== before.foto_path && before.evento_id !== null)
      await tx
        .updateTable('eventos')
        .set({ crop_path: fotoPath })
        .where('id', '=', before.evento_id)
        // A review has moved it into the training data.
        .where((eb) => eb.or([eb('crop_path', 'is', null), eb('crop_path', 'not like', 'dataset/%')]))
        .execute()
    await listForDeletion(tx, await unnamed(tx, before.id, replacedBy(before, values)))
    return { ...result, id: before.id }
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
  return { ...result, id }
}

/** Those of these pictures that no event of the passage names. */
async function unnamed(tx: Database, passagemId: number, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const rows = await tx.selectFrom('eventos').select('crop_path').where('passagem_id', '=', passagemId).execute()
  const named = new Set(rows.map(({ crop_path }) => crop_path))
  return paths.filter((path) => !named.has(path))
}

type Photos = Pick<PassagemRow, 'foto_path' | 'foto_placa_path'>

/** Former pictures that a revision replaces. */
const replacedBy = (before: Photos, after: Photos): string[] =>
  (['foto_path', 'foto_placa_path'] as const).flatMap((field) => {
    const former = before[field]
    return former === null || former === after[field] ? [] : [former]
  })

/** Severity of the event; null: no event is requested. */
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

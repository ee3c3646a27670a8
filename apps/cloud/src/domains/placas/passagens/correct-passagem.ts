import type { CorrecaoPassagem, Passagem } from '@vigia/contracts/passagens'
import { formOfPlate } from '@vigia/contracts/veiculos'
import type { Bus } from '../../../adapters/bus.ts'
import { auditCorrection } from '../../../audit/audit-placa.ts'
import { lockEdge } from '../../../db/locks.ts'
import { type ListedPlate, matchPlate, readConfigs } from '../../../db/match-placa.ts'
import type { StoredMedia } from '../../../db/media-bytes.ts'
import { listForDeletion, pathsOf, takeFiles } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import type { PassagemRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { viewPassagem } from '../../../db/view-passagem.ts'
import { type Caller, callerName } from '../../../http/caller.ts'
import { type DiscardDeps, discardFiles } from '../../eventos/public.ts'
import { eventOf, readStoredFields, storePassageEvento } from '../../operacao/public.ts'
import { type PassagensDeps, requirePassagem } from './list-passagens.ts'
import { stageTraining } from './stage-training.ts'
import { readInstructions, saveCorrection } from './store.ts'

export interface CorrectionDeps extends PassagensDeps, DiscardDeps {
  readonly bus: Bus
  readonly wake: () => void
}

/**
 * Records what a person reads on a plate. The lists are matched again; a newly blocked plate raises an event of
 * severity `alta`. The picture of the plate and its text become training data. A later record of the edge no longer
 * changes plate and situation.
 * @throws VigiaError `proibido`, `nao_encontrado`
 */
export async function correctPassagem(
  deps: CorrectionDeps,
  caller: Caller,
  id: number,
  { placa }: CorrecaoPassagem,
): Promise<Passagem> {
  const seen = await requirePassagem(deps.db, caller, id)
  const review = { placa, revisor: callerName(caller), now: deps.clock.now(), caller }
  const files = await stageTraining(deps, seen, review)
  let unused: readonly string[] = pathsOf(files)
  try {
    const saved = await transact(deps.db, (tx) => correct(tx, seen, review, files))
    if (saved) unused = saved.unused
    if (saved?.hasEvento) {
      deps.bus.publish({ tipo: 'alertas' })
      deps.wake()
    }
  } finally {
    await discardFiles(deps, unused)
  }
  return viewPassagem(await requirePassagem(deps.db, caller, id))
}

interface Review {
  readonly placa: string | null
  readonly revisor: string
  readonly now: number
  readonly caller: Caller
}

/** @returns null: the passage was deleted in the meantime */
async function correct(tx: Database, seen: PassagemRow, review: Review, files: readonly StoredMedia[]) {
  await lockEdge(tx, seen.edge_id)
  const row = await requirePassagem(tx, review.caller, seen.id).catch(() => null)
  if (row === null) return null
  const { placa, revisor, now, caller } = review
  const config = (await readConfigs(tx, [row.camera_id])).get(row.camera_id) ?? null
  const { situacao, cadastro } = await matchPlate(tx, row.empresa_id, placa, config, now)
  // A start of another replica may have begun to delete the new files.
  const taken = files.length > 0 && (await takeFiles(tx, files))
  const former = row.dataset_path === null ? [] : filesOf(row.dataset_path)
  await listForDeletion(tx, taken ? former : [])
  const after = await saveCorrection(tx, row.id, {
    placa,
    situacao,
    pais: placa === null ? null : 'BR',
    forma: placa === null ? null : formOfPlate(placa),
    placa_lida: row.corrigida_em === null ? row.placa : row.placa_lida,
    corrigida_por: revisor,
    corrigida_em: now,
    dataset_path: taken ? (files[0]?.path ?? null) : row.dataset_path,
  })
  await auditCorrection(tx, now, caller, row, after)
  const isNew = situacao === 'bloqueada' && (row.situacao !== 'bloqueada' || row.placa !== placa)
  const hasEvento = isNew && row.registro_json !== null
  if (hasEvento) await raise(tx, after, { revisor, cadastro, now })
  return { hasEvento, unused: taken ? former : pathsOf(files) }
}

const filesOf = (path: string): string[] => [path, path.replace(/\.jpg$/, '.json')]

interface Raised {
  readonly revisor: string
  readonly cadastro: ListedPlate
  readonly now: number
}

async function raise(tx: Database, row: PassagemRow, { revisor, cadastro, now }: Raised): Promise<void> {
  const camera = {
    id: row.camera_id,
    empresa_id: row.empresa_id,
    nome: row.camera_nome,
    instrucoes_json: await readInstructions(tx, row.camera_id),
  }
  const detalhes = {
    passagem_id: row.id,
    placa: row.placa ?? undefined,
    lista: row.situacao,
    ...cadastro,
    // A person has read it.
    confianca_placa: 1,
    corrigida_por: revisor,
  }
  const registro = readStoredFields(row.registro_json ?? '')
  const about = { registro, camera, retroativo: false, gravidade: 'alta' as const, fotoPath: row.foto_path, detalhes }
  await storePassageEvento(tx, row.id, eventOf(about, { edgeId: row.edge_id, now }), now)
}

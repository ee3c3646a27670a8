import { caixaSchema } from '@vigia/contracts/eventos'
import { ia, nomesIas } from '@vigia/contracts/ias'
import { z } from 'zod'
import type { Clock } from '../../../adapters/clock.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import type { ResultadoVerificacao, Verifier } from '../../../adapters/verifier/interface.ts'
import { biasOf } from '../../../db/ajustes.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Claim, failWork, finishWork } from '../../../db/work-queue/queue.ts'
import { isUnmasked } from '../../../scope/unmasked.ts'
import { afterFailure, type Falha } from './retry-policy.ts'
import { saveVerdict } from './save-verdict.ts'
import { cropPathNow, type PendingRow, saveDetails } from './store.ts'

export interface VerifyDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly verifier: Verifier
  readonly clock: Clock
}

type Resultado = ResultadoVerificacao | { readonly ok: false; readonly falha: Falha; readonly detalhe: string }

const stored = {
  ia: z.enum(nomesIas),
  caixas: z.array(caixaSchema),
  calibracao: z.record(z.string(), z.union([z.number(), z.boolean()])),
  instrucoes: z.array(z.string()),
  detalhes: z.record(z.string(), z.unknown()),
}

/** Verifies one event. Never rejects, because a failure must not delay the following events. */
export const judgeEvent = (deps: VerifyDeps, row: PendingRow): Promise<Resultado> =>
  askVerifier(deps, row).catch((error: unknown) => ({
    ok: false,
    falha: 'indisponivel',
    detalhe: error instanceof Error ? error.message : String(error),
  }))

/** Stores the verdict or the failure. false: the lease has ended, and nothing was written. */
export function recordResult(
  { db, clock }: VerifyDeps,
  claim: Claim,
  row: PendingRow,
  resultado: Resultado,
): Promise<boolean> {
  const { falha_verificacao: _, ...detalhes } = stored.detalhes.parse(JSON.parse(row.detalhes_json))
  const now = clock.now()
  return transact(db, async (tx) => {
    if (resultado.ok)
      return (await finishWork(tx, claim)) && (await saveVerdict(tx, row.id, resultado, JSON.stringify(detalhes), now))
    const { esperaMs, erro, aviso, parado } = afterFailure(resultado.falha, claim.tentativas + 1, Math.random())
    const next = { estado: parado ? 'parado' : 'recuo', em: now + esperaMs } as const
    if (!(await failWork(tx, claim, { erro, now, next }))) return false
    await saveDetails(tx, row.id, JSON.stringify(aviso ? { ...detalhes, falha_verificacao: erro } : detalhes))
    return true
  })
}

async function askVerifier({ db, media, verifier }: VerifyDeps, row: PendingRow): Promise<Resultado> {
  if (ia(stored.ia.parse(row.tipo)).modelo === 'placas') return listVerdict(row)
  const read = (path: string | null) => (path === null ? null : media.read(path))
  const crop = (await read(row.crop_path)) ?? (await read(await cropPathNow(db, row.id)))
  const quadro = await read(row.quadro_path)
  if (!crop) return { ok: false, falha: 'sem_imagem', detalhe: 'event without a crop' }
  return verifier.verify({
    // Without `empresaId` no external verifier gets the picture.
    ...(!(await isUnmasked(db, row.camera_id, row)) && { empresaId: row.empresa_id }),
    origemId: row.empresa_id,
    ajuste: await biasOf(db, row.camera_id, row.tipo),
    crop,
    quadro,
    ia: stored.ia.parse(row.tipo),
    caixas: stored.caixas.parse(JSON.parse(row.caixas_json)),
    calibracao: stored.calibracao.parse(JSON.parse(row.calibracao_json)),
    instrucoes: stored.instrucoes.parse(JSON.parse(row.instrucoes_json)),
    detalhes: stored.detalhes.parse(JSON.parse(row.detalhes_json)),
  })
}

const listedSchema = z.object({
  confianca_placa: z.number().min(0).max(1),
  lista: z.string(),
  corrigida_por: z.string().optional(),
})

/** The edge has voted on the reading over all frames, and the list has decided: no further picture says more. */
function listVerdict({ detalhes_json }: PendingRow): Resultado {
  const { confianca_placa: confianca, lista, corrigida_por: por } = listedSchema.parse(JSON.parse(detalhes_json))
  const motivo = `${LIST_TEXTS[lista] ?? 'A placa foi lida.'}${por === undefined ? '' : ` Corrigida por ${por}.`}`
  return { ok: true, decisao: 'confirmado', certeza: 'alta', confianca, motivo, fonte: 'listas' }
}

const LIST_TEXTS: Readonly<Record<string, string>> = {
  bloqueada: 'A placa lida está na lista de bloqueadas.',
  permitida: 'A placa lida está na lista de permitidas.',
  desconhecida: 'A placa lida não está em nenhuma lista.',
}

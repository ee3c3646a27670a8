import { invalid, VigiaError } from '@vigia/contracts/errors'
import {
  type Gravacao,
  type GravacaoCreate,
  MAX_GRAVACAO_MS,
  MAX_GRAVACOES_GRAVADOR,
  MAX_GRAVACOES_LOGIN,
} from '@vigia/contracts/gravacoes'
import type { Clock } from '../../../../adapters/clock.ts'
import { auditGravacao } from '../../../../audit/audit-gravacao.ts'
import { lockCamera } from '../../../../db/locks.ts'
import type { Database } from '../../../../db/open.ts'
import { transact } from '../../../../db/transaction.ts'
import { type Caller, callerKey, callerName, requireWork } from '../../../../http/caller.ts'
import { requireMaskedView } from '../../../../scope/unmasked.ts'
import { requireCamera } from '../../../locais/public.ts'
import { freeSlot, gravadorOf, insertGravacao, slotsOf } from './store.ts'
import { viewGravacao } from './view-gravacao.ts'

const RETRY_S = 60

/**
 * Asks for a part of the archive of a camera's recorder. A unique key limits the fetches of a login and of a recorder.
 * @throws VigiaError `proibido`, `nao_encontrado`, `validacao`, `conflito` (inactive), `indisponivel` (no edge),
 * `muitas_requisicoes`
 */
export async function createGravacao(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  cameraId: number,
  body: GravacaoCreate,
): Promise<Gravacao> {
  requireWork(caller)
  requireMaskedView(caller, await requireCamera(db, caller, cameraId))
  const now = clock.now()
  const span = spanOf(body, now)
  return transact(db, async (tx) => {
    await lockCamera(tx, cameraId)
    const { ativa, edge_id, empresa_id, gravador_id, nome } = await requireCamera(tx, caller, cameraId)
    if (ativa === 0)
      throw new VigiaError('conflito', { detalhe: 'A câmera está desativada. Ative-a para buscar gravações.' })
    if (edge_id === null)
      throw new VigiaError('indisponivel', { detalhe: 'Nenhuma caixa atende esta câmera. Cadastre e ative uma caixa.' })
    const row = await insertGravacao(
      tx,
      {
        empresa_id,
        camera_id: cameraId,
        camera_nome: nome,
        edge_id,
        ...span,
        pedida_por: callerName(caller),
        vaga_login: await takeSlot(tx, 'vaga_login', callerKey(caller)),
        vaga_gravador: await takeSlot(tx, 'vaga_gravador', gravadorOf({ id: cameraId, gravador_id })),
      },
      now,
    )
    if (!row) throw tooMany('Outra gravação foi pedida ao mesmo tempo. Tente outra vez.')
    await auditGravacao(tx, now, caller, { antes: null, depois: row })
    return viewGravacao(row, undefined)
  })
}

const limits = {
  vaga_login: {
    slots: MAX_GRAVACOES_LOGIN,
    detalhe: `Seu login já busca ${MAX_GRAVACOES_LOGIN} gravações. Espere uma terminar ou cancele uma.`,
  },
  vaga_gravador: {
    slots: MAX_GRAVACOES_GRAVADOR,
    detalhe: `Já se buscam ${MAX_GRAVACOES_GRAVADOR} gravações deste gravador. Espere uma terminar ou cancele uma.`,
  },
} as const

const tooMany = (detalhe: string) => new VigiaError('muitas_requisicoes', { detalhe, tentarEmS: RETRY_S })

async function takeSlot(tx: Database, column: keyof typeof limits, owner: string): Promise<string> {
  const { slots, detalhe } = limits[column]
  const slot = await freeSlot(tx, column, slotsOf(owner, slots))
  if (slot === undefined) throw tooMany(detalhe)
  return slot
}

function spanOf(body: GravacaoCreate, now: number): { readonly inicio: number; readonly fim: number } {
  const [inicio, fim] = [Date.parse(body.inicio), Date.parse(body.fim)]
  if (inicio < 0) throw invalid(['body', 'inicio'], 'O começo é antes de 1970')
  if (fim <= inicio) throw invalid(['body', 'fim'], 'O fim precisa ser depois do começo')
  if (fim - inicio > MAX_GRAVACAO_MS) throw invalid(['body', 'fim'], 'O trecho passa de 15 minutos. Peça-o em partes')
  if (fim > now) throw invalid(['body', 'fim'], 'O trecho ainda não terminou')
  return { inicio, fim }
}

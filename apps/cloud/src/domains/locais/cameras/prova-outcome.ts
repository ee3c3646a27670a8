import type { Camera } from '@vigia/contracts/cameras'
import type { AndamentoProva } from '@vigia/contracts/provas'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { type EventoSeen, isPushed, isShownElsewhere } from './prova-store.ts'

interface Scene {
  readonly camera: Pick<Camera, 'status'>
  /** Eventos of the camera since the start of the walk. */
  readonly eventos: readonly EventoSeen[]
  /** Something was marked in the live picture. */
  readonly viu: boolean
  /** End of the walk, epoch ms. */
  readonly fim: number
}

/** How far a walk came up to its end, and the first step that is missing: read from stored rows, on any replica. */
export async function outcomeOf(
  db: Database,
  { sessao }: Pick<Caller, 'sessao'>,
  { camera, eventos, viu, fim }: Scene,
): Promise<AndamentoProva> {
  const arrived = eventos.filter(({ recebido_em }) => recebido_em <= fim)
  if (arrived.length === 0) {
    if (!viu) return { desfecho: 'nada', passo_falho: 'caixa' }
    return { desfecho: 'ninguem', passo_falho: camera.status === 'online' ? 'ia' : 'central' }
  }
  const confirmed = arrived
    .filter(({ veredito_decisao: decisao, verificado_em }) => decisao === 'confirmado' && (verificado_em ?? 0) <= fim)
    .map(({ id }) => id)
  if (confirmed.length === 0) return { desfecho: 'ninguem', passo_falho: 'verificacao' }
  if (await isShownElsewhere(db, confirmed, sessao?.id ?? 0)) return { desfecho: 'outra_tela', passo_falho: null }
  if (await isPushed(db, confirmed, fim)) return { desfecho: 'navegador', passo_falho: null }
  return { desfecho: 'ninguem', passo_falho: 'entrega' }
}

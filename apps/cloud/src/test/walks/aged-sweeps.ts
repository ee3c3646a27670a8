import { deleteDue, type HoldDeps } from '../../db/hold-back/hold-back.ts'
import { dropLacunas } from '../../db/lacunas.ts'
import { sweepDescartados } from '../../domains/eventos/eventos/delete-descartados.ts'
import type { DiscardDeps } from '../../domains/eventos/eventos/discard-files.ts'
import { pruneAvisos } from '../../domains/mensagens/notificacoes/avisos-store.ts'
import { pruneDeliveries } from '../../domains/mensagens/notificacoes/delivery-store.ts'
import { pruneEnvios } from '../../domains/mensagens/push/store.ts'
import { dropPresences } from '../../domains/operacao/linha-do-tempo/presence-store.ts'
import type { SeededKind } from '../stores/relogio-store.ts'

/** Rows of one step. */
const LIMIT = 500

/** Sweeps a kind of the installation as its service does. */
export function sweepInstallation(deps: DiscardDeps & HoldDeps, kind: SeededKind): Promise<void> {
  const { db, now } = deps
  const sweeps: { readonly [K in SeededKind]: () => Promise<void> } = {
    descartados: () => sweepDescartados(deps, now),
    presencas: () => deleteDue(deps, { tipo: 'presencas' }, (due) => dropPresences(db, due)),
    entregas: () => deleteDue(deps, { tipo: 'entregas' }, async (due) => void (await pruneDeliveries(db, due, LIMIT))),
    avisos: () => deleteDue(deps, { tipo: 'avisos' }, async (due) => void (await pruneAvisos(db, due, LIMIT))),
    envios_push: () =>
      deleteDue(deps, { tipo: 'envios_push' }, async (due) => void (await pruneEnvios(db, due, LIMIT))),
    lacunas_sem_camera: () => deleteDue(deps, { tipo: 'lacunas_sem_camera' }, (due) => dropLacunas(db, due)),
  }
  return sweeps[kind]()
}

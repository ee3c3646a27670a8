import { VigiaError } from '@vigia/contracts/errors'
import type { RelogioServidor } from '@vigia/contracts/saude'
import type { Clock } from '../../../../adapters/clock.ts'
import { auditChange } from '../../../../audit/audit-change.ts'
import type { Database } from '../../../../db/open.ts'
import { transact } from '../../../../db/transaction.ts'
import { type Caller, requireWrite } from '../../../../http/caller.ts'
import type { AgeClock } from './age-clock.ts'
import { listHeld } from './store.ts'

export interface ClockDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ages: AgeClock
}

/** The wall clock, the time of ages, and deletions that wait. @throws VigiaError `proibido` */
export async function viewClock({ db, clock, ages }: ClockDeps, caller: Caller): Promise<RelogioServidor> {
  requireOperator(caller)
  const state = ages.state
  return {
    hora: instant(clock.now()),
    idades: instant(ages.now()),
    duvida:
      state?.duvidaDesde == null
        ? null
        : { desde: instant(state.duvidaDesde), desvio_s: Math.round((state.desvioMs ?? 0) / 1000) },
    retidos: (await listHeld(db)).map(({ empresa_id, nome, tipo, desde, quantos, total }) => ({
      empresa_id,
      empresa: nome,
      tipo,
      desde: instant(desde),
      quantos: Number(quantos),
      total: Number(total),
    })),
  }
}

/**
 * A person confirms that the time of the server is right: ages follow it, and held deletions go on.
 * @throws VigiaError `proibido`
 */
export async function confirmClock(deps: ClockDeps, caller: Caller): Promise<RelogioServidor> {
  requireOperator(caller)
  requireWrite(caller)
  const { db, clock, ages } = deps
  const before = await viewClock(deps, caller)
  await transact(db, async (tx) => {
    await ages.confirm(tx)
    await auditChange(tx, clock.now(), caller, {
      acao: 'confirmar',
      objeto: 'relogio',
      id: null,
      nome: null,
      empresaId: null,
      antes: { idades: before.idades, retidos: before.retidos.length },
      depois: { idades: instant(clock.now()), retidos: 0 },
    })
  })
  return viewClock(deps, caller)
}

function requireOperator(caller: Caller): void {
  if (caller.escopo !== 'tudo')
    throw new VigiaError('proibido', { detalhe: 'Só o operador da instalação confere a hora do servidor.' })
}

const instant = (epochMs: number): string => new Date(epochMs).toISOString()

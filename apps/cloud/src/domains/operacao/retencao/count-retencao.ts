import type { ContagemRetencao, RetencaoPatch } from '@vigia/contracts/retencao'
import type { Clock } from '../../../adapters/clock.ts'
import type { HeavyReads } from '../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { requireEmpresa } from '../../../scope/require-empresa.ts'
import { countClipesDue, countEventosDue, countPicturesDue } from './count-store.ts'
import { effectiveRules } from './effective-rules.ts'
import { ageBound, unansweredBound } from './sweep-empresa.ts'

/**
 * Counts what the next sweep deletes by age if the change is saved.
 * @throws VigiaError `nao_encontrado`, `proibido`
 */
export async function countRetencao(
  { db, reads, clock }: { readonly db: Database; readonly reads: HeavyReads; readonly clock: Clock },
  caller: Caller,
  empresaId: number,
  change: RetencaoPatch,
  signal: AbortSignal,
): Promise<ContagemRetencao> {
  requireWrite(caller)
  await requireEmpresa(db, caller, empresaId)
  const now = clock.now()
  const rules = { now, regras: await effectiveRules(db, empresaId, change) }
  const bounds = {
    empresaId,
    now,
    eventos: ageBound(rules, 'eventos'),
    unanswered: unansweredBound(rules),
    imagens: ageBound(rules, 'imagens'),
    clipes: ageBound(rules, 'clipes'),
  }
  return reads.run(caller, signal, async (read) => ({
    eventos: await countEventosDue(read, bounds),
    imagens: await countPicturesDue(read, bounds),
    clipes: await countClipesDue(read, bounds),
  }))
}

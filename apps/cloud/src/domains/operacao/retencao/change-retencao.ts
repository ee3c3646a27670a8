import { type Retencao, type RetencaoPatch, regrasRetencao, tiposRetencao } from '@vigia/contracts/retencao'
import { auditChange } from '../../../audit/audit-change.ts'
import { lockEmpresa } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../../http/caller.ts'
import { requireEffect } from '../../../http/effects.ts'
import { effectiveRules, ruleOf } from './effective-rules.ts'
import { saveRule } from './store.ts'
import { type RetencaoDeps, viewRetencao } from './view-retencao.ts'

/**
 * Changes the retention of an Empresa. The next sweep applies it.
 * @throws VigiaError `nao_encontrado`, `proibido`
 */
export async function changeRetencao(
  deps: RetencaoDeps,
  caller: Caller,
  id: number,
  patch: RetencaoPatch,
): Promise<Retencao> {
  requireWrite(caller)
  requireScope(caller, id)
  await transact(deps.db, async (tx) => {
    const empresa = await lockEmpresa(tx, id)
    if (!empresa) throw notFound('Empresa não encontrada.')
    await requireShorterRight(tx, caller, id, patch)
    const antes = await ownValues(tx, id)
    await saveRules(tx, id, patch)
    const change = { acao: 'alterar', objeto: 'retencao', id, nome: empresa.nome, empresaId: id } as const
    await auditChange(tx, deps.clock.now(), caller, { ...change, antes, depois: await ownValues(tx, id) })
  })
  return viewRetencao(deps, id)
}

/** A shorter period or less space ends data earlier. @throws VigiaError `proibido` */
async function requireShorterRight(tx: Database, caller: Caller, id: number, patch: RetencaoPatch): Promise<void> {
  const after = await effectiveRules(tx, id, patch)
  for (const before of await effectiveRules(tx, id)) {
    const { dias, bytes } = ruleOf(after, before.tipo)
    const { nome } = regrasRetencao[before.tipo]
    if (dias < before.dias)
      requireEffect(caller, 'destroys', `Reduzir o prazo de ${nome} de ${before.dias} para ${dias} dias`)
    if ((bytes ?? Infinity) < (before.bytes ?? Infinity))
      requireEffect(caller, 'destroys', `Reduzir o espaço de ${nome}`)
  }
}

async function saveRules(tx: Database, id: number, patch: RetencaoPatch): Promise<void> {
  const before = await effectiveRules(tx, id)
  for (const { tipo, dias_proprio, bytes_proprio } of before) {
    const sent: { dias?: number | null | undefined; bytes?: number | null | undefined } | undefined = patch[tipo]
    if (!sent) continue
    const { dias = dias_proprio, bytes = bytes_proprio } = sent
    await saveRule(tx, { empresa_id: id, tipo, dias, bytes })
  }
}

async function ownValues(tx: Database, id: number) {
  const rules = await effectiveRules(tx, id)
  return Object.fromEntries(
    tiposRetencao.flatMap((tipo) => {
      const rule = rules.find((each) => each.tipo === tipo)
      return [
        [`${tipo}_dias`, rule?.dias_proprio ?? null],
        [`${tipo}_bytes`, rule?.bytes_proprio ?? null],
      ]
    }),
  )
}

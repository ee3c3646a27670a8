import { type Retencao, type RetencaoPatch, tiposRetencao } from '@vigia/contracts/retencao'
import { auditChange } from '../../audit/audit-change.ts'
import { lockEmpresa } from '../../db/locks.ts'
import type { Database } from '../../db/open.ts'
import { transact } from '../../db/transaction.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../http/caller.ts'
import { effectiveRules } from './effective-rules.ts'
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
    const antes = await ownValues(tx, id)
    await saveRules(tx, id, patch)
    const change = { acao: 'alterar', objeto: 'retencao', id, nome: empresa.nome, empresaId: id } as const
    await auditChange(tx, deps.clock.now(), caller, { ...change, antes, depois: await ownValues(tx, id) })
  })
  return viewRetencao(deps, id)
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

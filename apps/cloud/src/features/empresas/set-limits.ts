import type { EmpresaCreate, EmpresaPatch } from '@vigia/contracts/empresas'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import { campoLimite, type Limites, limites, porLimite, type TipoLimite, tiposLimite } from '@vigia/contracts/limites'
import type { EmpresaRow } from '../../db/rows.ts'
import type { Caller } from '../../http/caller.ts'
import { effectiveLimits } from '../quotas/effective-limits.ts'

const sentLimits = (input: EmpresaCreate | EmpresaPatch): { readonly tipo: TipoLimite; readonly valor: number }[] =>
  tiposLimite.flatMap((tipo) => {
    const valor = input[campoLimite(tipo)]
    return valor == null ? [] : [{ tipo, valor }]
  })

/**
 * @param id whose limits are sent; null: of an Empresa to be created below the caller's
 * @throws VigiaError `proibido`: the limit of cameras by the Empresa's own administrador, any other by anybody but the
 * operator.
 */
export function requireLimitRights(caller: Caller, id: number | null, input: EmpresaCreate | EmpresaPatch): void {
  if (caller.escopo === 'tudo') return
  for (const { tipo } of sentLimits(input)) {
    const { nome, quemMuda } = limites[tipo]
    if (quemMuda === 'operador')
      throw new VigiaError('proibido', { detalhe: `Só o operador da instalação muda o limite de ${nome}. Peça a ele.` })
    if (caller.empresaId === id)
      throw new VigiaError('proibido', {
        detalhe: `O limite de ${nome} é dado por quem administra a Empresa acima. Peça a ele.`,
      })
  }
}

/** @throws VigiaError `validacao`: a limit sent is greater than that of the Empresa above. @param above parent to root */
function requireBelowParent(input: EmpresaCreate | EmpresaPatch, above: readonly EmpresaRow[]): void {
  const [parent] = above
  if (!parent) return
  const most = effectiveLimits(above)
  for (const { tipo, valor } of sentLimits(input)) {
    const campo = campoLimite(tipo)
    if (valor > most[campo])
      throw invalid(
        ['body', campo],
        `O limite de ${limites[tipo].nome} da Empresa acima, "${parent.nome}", é ${most[campo]}: informe ${most[campo]} ou menos`,
        'less_than_equal',
      )
  }
}

/** Limits of a new Empresa: those sent, else the default or the parent's, whichever is smaller. @param above parent to root */
export function initialLimits(input: EmpresaCreate, above: readonly EmpresaRow[]): Limites {
  requireBelowParent(input, above)
  const most = effectiveLimits(above)
  return porLimite((campo, tipo) => input[campo] ?? Math.min(limites[tipo].padrao, most[campo]))
}

/** The limits among what was sent that have another value than before. @param above parent to root */
export function changedLimits(before: EmpresaRow, patch: EmpresaPatch, above: readonly EmpresaRow[]): Partial<Limites> {
  requireBelowParent(patch, above)
  const changed = sentLimits(patch).filter(({ tipo, valor }) => valor !== before[campoLimite(tipo)])
  return Object.fromEntries(changed.map(({ tipo, valor }) => [campoLimite(tipo), valor]))
}

import type { EmpresaCreate, EmpresaPatch } from '@vigia/contracts/empresas'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import { campoLimite, type Limites, limites, porLimite, type TipoLimite, tiposLimite } from '@vigia/contracts/limites'
import type { EmpresaRow } from '../../../db/rows.ts'
import { type Caller, isAbove } from '../../../http/caller.ts'
import { effectiveLimits } from '../quotas/effective-limits.ts'

const sentLimits = (input: EmpresaCreate | EmpresaPatch): { readonly tipo: TipoLimite; readonly valor: number }[] =>
  tiposLimite.flatMap((tipo) => {
    const valor = input[campoLimite(tipo)]
    return valor == null ? [] : [{ tipo, valor }]
  })

/**
 * @param id Empresa of the limits; null: an Empresa to be created below the caller's own
 * @throws VigiaError `proibido`: a caller that is not above changes the camera limit, or a login other than the
 * operator another limit or that of bytes.
 */
export function requireLimitRights(caller: Caller, id: number | null, input: EmpresaCreate | EmpresaPatch): void {
  if (caller.escopo === 'tudo') return
  if (input.limite_bytes != null || (id !== null && input.limite_bytes !== undefined))
    throw new VigiaError('proibido', { detalhe: 'Só o operador da instalação muda o limite de espaço. Peça a ele.' })
  for (const { tipo } of sentLimits(input)) {
    const { nome, quemMuda } = limites[tipo]
    if (quemMuda === 'operador')
      throw new VigiaError('proibido', { detalhe: `Só o operador da instalação muda o limite de ${nome}. Peça a ele.` })
    if (!isAbove(caller, id))
      throw new VigiaError('proibido', {
        detalhe: `O limite de ${nome} é dado por quem administra a Empresa acima. Peça a ele.`,
      })
  }
}

/**
 * @throws VigiaError `validacao`: a sent limit is greater than that of the Empresa above. @param above parent to root
 */
function requireBelowParent(input: EmpresaCreate | EmpresaPatch, above: readonly EmpresaRow[]): void {
  const [parent] = above
  if (!parent) return
  const most = effectiveLimits(above)
  for (const { tipo, valor } of sentLimits(input)) {
    const campo = campoLimite(tipo)
    if (valor > most[campo])
      throw invalid(
        ['body', campo],
        `O limite de ${limites[tipo].nome} da Empresa acima, "${parent.nome}", é ${most[campo]}: ` +
          `informe ${most[campo]} ou menos`,
        'less_than_equal',
      )
  }
}

/**
 * Limits of a new Empresa: the sent ones, else the smaller of default and parent's limit. @param above parent to root
 */
export function initialLimits(input: EmpresaCreate, above: readonly EmpresaRow[]): Limites {
  requireBelowParent(input, above)
  const most = effectiveLimits(above)
  return porLimite((campo, tipo) => input[campo] ?? Math.min(limites[tipo].padrao, most[campo]))
}

/** The sent limits that differ from the stored ones. @param above parent to root */
export function changedLimits(before: EmpresaRow, patch: EmpresaPatch, above: readonly EmpresaRow[]): Partial<Limites> {
  requireBelowParent(patch, above)
  const changed = sentLimits(patch).filter(({ tipo, valor }) => valor !== before[campoLimite(tipo)])
  return Object.fromEntries(changed.map(({ tipo, valor }) => [campoLimite(tipo), valor]))
}

import { empresaPatchSchema } from '@vigia/contracts/empresas'
import {
  type CampoLimite,
  campoLimite,
  type LimitesEmpresa,
  limites,
  porLimite,
  type TipoLimite,
  tiposLimite,
} from '@vigia/contracts/limites'
import type { Me } from '@vigia/contracts/sessoes'

/** The fields of the form, as text. */
export type FormularioLimites = Record<CampoLimite, string>

export type ProblemaLimite = 'limiteErrado'

/**
 * Returns the limits that the login may set: all for the operator, those given from above for the administrador of a
 * parent.
 */
export function settableLimits(me: Me, empresaId: number): readonly TipoLimite[] {
  if (me.papel !== 'administrador') return []
  if (me.empresa_id === null) return tiposLimite
  return me.empresa_id === empresaId ? [] : tiposLimite.filter((tipo) => limites[tipo].quemMuda === 'acima')
}

export const limitsFormOf = ({ limites: shown }: LimitesEmpresa): FormularioLimites =>
  porLimite((_campo, tipo) => String(shown[tipo].limite))

/** NaN if it is no whole number: no schema accepts NaN. */
const limitOf = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN)

/** Problems that the page can find before the request; the cloud checks all fields again. */
export function checkLimits(form: FormularioLimites): Partial<Record<CampoLimite, ProblemaLimite>> {
  const wrong = tiposLimite
    .map(campoLimite)
    .filter((campo) => !empresaPatchSchema.safeParse({ [campo]: limitOf(form[campo]) }).success)
  return Object.fromEntries(wrong.map((campo) => [campo, 'limiteErrado' as const]))
}

/** Body of the change: only the limits that differ; null if none does. */
export function limitsChangeOf(
  empresa: LimitesEmpresa,
  form: FormularioLimites,
): Partial<Record<CampoLimite, number>> | null {
  const changed = tiposLimite.filter((tipo) => limitOf(form[campoLimite(tipo)]) !== empresa.limites[tipo].limite)
  if (changed.length === 0) return null
  return Object.fromEntries(changed.map((tipo) => [campoLimite(tipo), limitOf(form[campoLimite(tipo)])]))
}

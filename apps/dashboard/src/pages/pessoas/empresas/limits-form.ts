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
import { isAbove } from '../../../session/own-empresa.ts'

/** The fields of the form, as text. */
export type FormularioLimites = Record<CampoLimite | 'limite_gb', string>

export type ProblemaLimite = 'limiteErrado' | 'limiteGbErrado'

const GB = 1_000_000_000

/**
 * Returns the limits that the login may set: all for the operator, those given from above for the administrador of a
 * parent.
 */
export function settableLimits(me: Me, empresaId: number): readonly TipoLimite[] {
  if (me.papel !== 'administrador') return []
  if (me.empresa_id === null) return tiposLimite
  return !isAbove(me, empresaId) ? [] : tiposLimite.filter((tipo) => limites[tipo].quemMuda === 'acima')
}

export const limitsFormOf = ({ limites: shown, bytes }: LimitesEmpresa): FormularioLimites => ({
  ...porLimite((_campo, tipo) => String(shown[tipo].limite)),
  limite_gb: bytes.limite === null ? '' : String(bytes.limite / GB).replace('.', ','),
})

/** Whether the login may set the limit of bytes. */
export const maySetBytes = (me: Me): boolean => me.papel === 'administrador' && me.empresa_id === null

/** NaN if it is no whole number: no schema accepts NaN. */
const limitOf = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN)

/** null: no limit. NaN if it is no number: no schema accepts NaN. */
function bytesOf(text: string): number | null {
  if (text.trim() === '') return null
  return /^\d{1,9}([.,]\d{1,3})?$/.test(text.trim())
    ? Math.round(Number(text.trim().replace(',', '.')) * GB)
    : Number.NaN
}

/** Problems that the page can find before the request; the cloud checks all fields again. */
export function checkLimits(form: FormularioLimites): Partial<Record<keyof FormularioLimites, ProblemaLimite>> {
  const wrong = tiposLimite
    .map(campoLimite)
    .filter((campo) => !empresaPatchSchema.safeParse({ [campo]: limitOf(form[campo]) }).success)
  const isWrong = !empresaPatchSchema.safeParse({ limite_bytes: bytesOf(form.limite_gb) }).success
  return {
    ...Object.fromEntries(wrong.map((campo) => [campo, 'limiteErrado' as const])),
    ...(isWrong && { limite_gb: 'limiteGbErrado' as const }),
  }
}

/** Body of the change: only the limits that differ; null if none does. */
export function limitsChangeOf(
  empresa: LimitesEmpresa,
  form: FormularioLimites,
): (Partial<Record<CampoLimite, number>> & { limite_bytes?: number | null }) | null {
  const changed = tiposLimite.filter((tipo) => limitOf(form[campoLimite(tipo)]) !== empresa.limites[tipo].limite)
  const limite_bytes = bytesOf(form.limite_gb)
  const isChanged = limite_bytes !== empresa.bytes.limite
  if (changed.length === 0 && !isChanged) return null
  return {
    ...Object.fromEntries(changed.map((tipo) => [campoLimite(tipo), limitOf(form[campoLimite(tipo)])])),
    ...(isChanged && { limite_bytes }),
  }
}

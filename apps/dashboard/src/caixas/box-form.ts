import { type Edge, edgePatchSchema } from '@vigia/contracts/edges'
import { NOVA_EMPRESA } from '../cameras/camera-form.ts'

export const camposCaixa = ['nome', 'empresa_id', 'empresa_nome', 'limite_reenvio_kbps'] as const
type CampoCaixa = (typeof camposCaixa)[number]

/** What stands in the fields of the form, as text. */
export type FormularioCaixa = Record<CampoCaixa, string>

export type ProblemaCaixa = 'nomeFalta' | 'limiteFalta' | 'empresaFalta' | 'empresaNomeFalta'

export const emptyBox = (empresa: number | null): FormularioCaixa => ({
  nome: '',
  empresa_id: empresa === null ? '' : String(empresa),
  empresa_nome: '',
  limite_reenvio_kbps: '',
})

export const boxFormOf = (caixa: Edge): FormularioCaixa => ({
  ...emptyBox(caixa.empresa_id),
  nome: caixa.nome,
  limite_reenvio_kbps: caixa.limite_reenvio_kbps === null ? '' : String(caixa.limite_reenvio_kbps),
})

/** kbit/s; null: none. NaN when it is no whole number: no schema accepts that. */
function limitOf(text: string): number | null {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN
}

/** What can be told before the central is asked; the central checks everything again. */
export function checkBox(form: FormularioCaixa, { needsEmpresa }: { needsEmpresa: boolean }) {
  const problems: Partial<Record<CampoCaixa, ProblemaCaixa>> = {}
  if (form.nome.trim() === '') problems.nome = 'nomeFalta'
  const limite_reenvio_kbps = limitOf(form.limite_reenvio_kbps)
  if (!edgePatchSchema.safeParse({ limite_reenvio_kbps }).success) problems.limite_reenvio_kbps = 'limiteFalta'
  if (needsEmpresa && form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  if (form.empresa_id === NOVA_EMPRESA && form.empresa_nome.trim() === '') problems.empresa_nome = 'empresaNomeFalta'
  return problems
}

/** Body of the creation. */
export const boxCreationOf = ({ nome, empresa_id }: FormularioCaixa) => ({
  nome: nome.trim(),
  ...(empresa_id === '' ? {} : { empresa_id: Number(empresa_id) }),
})

/** Body of the change: only what differs; null when nothing does. An emptied limit is sent as null. */
export function boxChangeOf(caixa: Edge, form: FormularioCaixa) {
  const nome = form.nome.trim()
  const limite_reenvio_kbps = limitOf(form.limite_reenvio_kbps)
  const patch = {
    ...(nome === caixa.nome ? {} : { nome }),
    ...(limite_reenvio_kbps === caixa.limite_reenvio_kbps ? {} : { limite_reenvio_kbps }),
  }
  return Object.keys(patch).length === 0 ? null : patch
}

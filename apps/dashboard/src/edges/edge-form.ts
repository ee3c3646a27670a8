import { type Edge, edgePatchSchema } from '@vigia/contracts/edges'
import { NOVA_EMPRESA } from '../cameras/camera-form.ts'

type CampoEdge = 'nome' | 'empresa_id' | 'empresa_nome' | 'limite_reenvio_kbps'

/** The fields of the form, as text. */
export type FormularioEdge = Record<CampoEdge, string>

type ProblemaEdge = 'nomeFalta' | 'limiteFalta' | 'empresaFalta' | 'empresaNomeFalta'

export const emptyEdge: FormularioEdge = { nome: '', empresa_id: '', empresa_nome: '', limite_reenvio_kbps: '' }

export const edgeFormOf = (edge: Edge): FormularioEdge => ({
  ...emptyEdge,
  nome: edge.nome,
  limite_reenvio_kbps: edge.limite_reenvio_kbps === null ? '' : String(edge.limite_reenvio_kbps),
})

/** kbit/s; null: none. NaN if it is no whole number: no schema accepts NaN. */
function limitOf(text: string): number | null {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN
}

/** Problems that the page can find before the request; the cloud checks all fields again. */
export function checkEdge(form: FormularioEdge, { needsEmpresa }: { needsEmpresa: boolean }) {
  const problems: Partial<Record<CampoEdge, ProblemaEdge>> = {}
  if (form.nome.trim() === '') problems.nome = 'nomeFalta'
  const limite_reenvio_kbps = limitOf(form.limite_reenvio_kbps)
  if (!edgePatchSchema.safeParse({ limite_reenvio_kbps }).success) problems.limite_reenvio_kbps = 'limiteFalta'
  if (needsEmpresa && form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  if (form.empresa_id === NOVA_EMPRESA && form.empresa_nome.trim() === '') problems.empresa_nome = 'empresaNomeFalta'
  return problems
}

/** Body of the creation. */
export const edgeCreationOf = ({ nome, empresa_id }: FormularioEdge) => ({
  nome: nome.trim(),
  ...(empresa_id === '' ? {} : { empresa_id: Number(empresa_id) }),
})

/** Body of the change: only the fields that differ; null if none does. An emptied limit is null. */
export function edgeChangeOf(edge: Edge, form: FormularioEdge) {
  const nome = form.nome.trim()
  const limite_reenvio_kbps = limitOf(form.limite_reenvio_kbps)
  const patch = {
    ...(nome === edge.nome ? {} : { nome }),
    ...(limite_reenvio_kbps === edge.limite_reenvio_kbps ? {} : { limite_reenvio_kbps }),
  }
  return Object.keys(patch).length === 0 ? null : patch
}

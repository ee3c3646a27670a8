import { type Edge, edgePatchSchema } from '@vigia/contracts/edges'
import { NOVA_EMPRESA } from '../../../domains/locais/cameras/camera-form.ts'

type CampoEdge = 'nome' | 'empresa_id' | 'empresa_nome' | 'limite_reenvio_kbps' | 'gravacao_continua_mb'

/** The fields of the form, as text. */
export type FormularioEdge = Record<CampoEdge, string>

type ProblemaEdge = 'nomeFalta' | 'limiteFalta' | 'gravacaoFalta' | 'empresaFalta' | 'empresaNomeFalta'

export const emptyEdge: FormularioEdge = {
  nome: '',
  empresa_id: '',
  empresa_nome: '',
  limite_reenvio_kbps: '',
  gravacao_continua_mb: '',
}

export const edgeFormOf = (edge: Edge): FormularioEdge => ({
  ...emptyEdge,
  nome: edge.nome,
  limite_reenvio_kbps: textOf(edge.limite_reenvio_kbps),
  gravacao_continua_mb: textOf(edge.gravacao_continua_mb),
})

const textOf = (value: number | null) => (value === null ? '' : String(value))

/** null: none. NaN if it is no whole number: no schema accepts NaN. */
function numberOf(text: string): number | null {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN
}

/** Problems that the page can find before the request; the cloud checks all fields again. */
export function checkEdge(form: FormularioEdge, { needsEmpresa }: { needsEmpresa: boolean }) {
  const problems: Partial<Record<CampoEdge, ProblemaEdge>> = {}
  if (form.nome.trim() === '') problems.nome = 'nomeFalta'
  const limite_reenvio_kbps = numberOf(form.limite_reenvio_kbps)
  const gravacao_continua_mb = numberOf(form.gravacao_continua_mb)
  if (!edgePatchSchema.safeParse({ limite_reenvio_kbps }).success) problems.limite_reenvio_kbps = 'limiteFalta'
  if (!edgePatchSchema.safeParse({ gravacao_continua_mb }).success) problems.gravacao_continua_mb = 'gravacaoFalta'
  if (needsEmpresa && form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  if (form.empresa_id === NOVA_EMPRESA && form.empresa_nome.trim() === '') problems.empresa_nome = 'empresaNomeFalta'
  return problems
}

/** Body of the creation. */
export const edgeCreationOf = ({ nome, empresa_id }: FormularioEdge) => ({
  nome: nome.trim(),
  ...(empresa_id === '' ? {} : { empresa_id: Number(empresa_id) }),
})

/** Body of the change: only the fields that differ; null if none does. An emptied number is null. */
export function edgeChangeOf(edge: Edge, form: FormularioEdge) {
  const nome = form.nome.trim()
  const limite_reenvio_kbps = numberOf(form.limite_reenvio_kbps)
  const gravacao_continua_mb = numberOf(form.gravacao_continua_mb)
  const patch = {
    ...(nome === edge.nome ? {} : { nome }),
    ...(limite_reenvio_kbps === edge.limite_reenvio_kbps ? {} : { limite_reenvio_kbps }),
    ...(gravacao_continua_mb === edge.gravacao_continua_mb ? {} : { gravacao_continua_mb }),
  }
  return Object.keys(patch).length === 0 ? null : patch
}

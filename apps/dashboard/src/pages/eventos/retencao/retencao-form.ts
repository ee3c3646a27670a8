import {
  type Retencao,
  type RetencaoPatch,
  regrasRetencao,
  retencaoPatchSchema,
  type TipoRetencao,
  tiposRetencao,
} from '@vigia/contracts/retencao'

type CampoRetencao = `${TipoRetencao}_${'dias' | 'gb'}`

/** The fields of the form, as text; empty: inherited. */
export type FormularioRetencao = Record<CampoRetencao, string>

export type ProblemaRetencao = 'diasErrado' | 'gbErrado'

const GB = 1_000_000_000

export const retencaoFormOf = ({ regras }: Retencao): FormularioRetencao =>
  Object.fromEntries(
    regras.flatMap(({ tipo, dias_proprio, bytes_proprio }) => [
      [`${tipo}_dias`, dias_proprio === null ? '' : String(dias_proprio)],
      [`${tipo}_gb`, bytes_proprio === null ? '' : String(bytes_proprio / GB).replace('.', ',')],
    ]),
  ) as FormularioRetencao

/** NaN if it is no number: no schema accepts NaN. */
function numberOf(text: string, factor: number): number | null {
  if (text.trim() === '') return null
  return /^\d{1,9}([.,]\d{1,3})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) * factor : Number.NaN
}

const ruleOf = (form: FormularioRetencao, tipo: TipoRetencao) => ({
  dias: numberOf(form[`${tipo}_dias`], 1),
  ...(regrasRetencao[tipo].temBytes && { bytes: numberOf(form[`${tipo}_gb`], GB) }),
})

/** Problems that the page can find before the request; the cloud checks all fields again. */
export function checkRetencao(form: FormularioRetencao): Partial<Record<CampoRetencao, ProblemaRetencao>> {
  const problems: Partial<Record<CampoRetencao, ProblemaRetencao>> = {}
  for (const tipo of tiposRetencao) {
    const { dias, bytes } = { bytes: null, ...ruleOf(form, tipo) }
    if (!retencaoPatchSchema.safeParse({ [tipo]: { dias } }).success) problems[`${tipo}_dias`] = 'diasErrado'
    if (bytes !== null && !retencaoPatchSchema.safeParse({ [tipo]: { bytes } }).success)
      problems[`${tipo}_gb`] = 'gbErrado'
  }
  return problems
}

/** Body of the change: only the kinds that differ; null if none does. */
export function retencaoChangeOf(before: Retencao, form: FormularioRetencao): RetencaoPatch | null {
  const shown = retencaoFormOf(before)
  const changed = tiposRetencao.filter(
    (tipo) => form[`${tipo}_dias`] !== shown[`${tipo}_dias`] || form[`${tipo}_gb`] !== shown[`${tipo}_gb`],
  )
  return changed.length === 0 ? null : Object.fromEntries(changed.map((tipo) => [tipo, ruleOf(form, tipo)]))
}

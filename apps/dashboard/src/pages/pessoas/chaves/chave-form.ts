import {
  type CampoAlcance,
  checkAlcance,
  chosenAlcance,
  emptyAlcance,
} from '../../../domains/locais/cameras/alcance-form.ts'

type CampoChave = 'nome' | 'empresa_id' | 'empresa_nome' | 'escopo' | 'validade' | CampoAlcance

/** The fields of the form, as text. */
export type FormularioChave = Record<CampoChave, string>

type ProblemaChave = 'nomeFalta' | 'empresaFalta' | 'listaFalta'

/** Choices for the validity of a chave in days; '': no expiry. */
export const validades = ['30', '90', '365', ''] as const

const DAY_MS = 86_400_000

export const emptyChave: FormularioChave = {
  nome: '',
  empresa_id: '',
  empresa_nome: '',
  escopo: 'leitura',
  validade: '365',
  ...emptyAlcance,
}

export function checkChave(form: Readonly<FormularioChave>) {
  const problems: Partial<Record<CampoChave, ProblemaChave>> = { ...checkAlcance(form) }
  if (form.nome.trim() === '') problems.nome = 'nomeFalta'
  if (form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  return problems
}

/** Body of the creation. */
export const chaveCreationOf = ({ nome, empresa_id, escopo, validade, ...reach }: FormularioChave, now: number) => ({
  nome: nome.trim(),
  escopo,
  ...(empresa_id === '' ? {} : { empresa_id: Number(empresa_id) }),
  ...(validade === '' ? {} : { validade: new Date(now + Number(validade) * DAY_MS).toISOString() }),
  ...chosenAlcance(reach),
})

import {
  type CampoAlcance,
  checkAlcance,
  chosenAlcance,
  emptyAlcance,
} from '../../../domains/locais/cameras/alcance-form.ts'

export type FormularioQuiosque = Record<'nome' | 'papel' | 'empresa_id' | 'empresa_nome' | CampoAlcance, string>
type ProblemaQuiosque = 'nomeFalta' | 'empresaFalta' | 'listaFalta'

export const emptyQuiosque: FormularioQuiosque = {
  nome: '',
  papel: 'vigilante',
  empresa_id: '',
  empresa_nome: '',
  ...emptyAlcance,
}

export function checkQuiosque(
  form: Readonly<FormularioQuiosque>,
): Partial<Record<keyof FormularioQuiosque, ProblemaQuiosque>> {
  const problems: Partial<Record<keyof FormularioQuiosque, ProblemaQuiosque>> = { ...checkAlcance(form) }
  if (form.nome.trim() === '') problems.nome = 'nomeFalta'
  if (form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  return problems
}

/** Body of the creation. */
export const quiosqueCreationOf = ({ nome, papel, empresa_id, ...reach }: Readonly<FormularioQuiosque>) => ({
  nome: nome.trim(),
  papel,
  ...(empresa_id === '' ? {} : { empresa_id: Number(empresa_id) }),
  ...chosenAlcance(reach),
})

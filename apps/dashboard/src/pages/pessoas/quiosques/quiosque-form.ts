export type FormularioQuiosque = Record<'nome' | 'papel' | 'empresa_id' | 'empresa_nome', string>
type ProblemaQuiosque = 'nomeFalta' | 'empresaFalta'

export const emptyQuiosque: FormularioQuiosque = { nome: '', papel: 'vigilante', empresa_id: '', empresa_nome: '' }

export function checkQuiosque(
  form: Readonly<FormularioQuiosque>,
  { needsEmpresa }: { readonly needsEmpresa: boolean },
): Partial<Record<keyof FormularioQuiosque, ProblemaQuiosque>> {
  const problems: Partial<Record<keyof FormularioQuiosque, ProblemaQuiosque>> = {}
  if (form.nome.trim() === '') problems.nome = 'nomeFalta'
  if (needsEmpresa && form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  return problems
}

/** Body of the creation. */
export const quiosqueCreationOf = ({ nome, papel, empresa_id }: Readonly<FormularioQuiosque>) => ({
  nome: nome.trim(),
  papel,
  ...(empresa_id === '' ? {} : { empresa_id: Number(empresa_id) }),
})

type CampoChave = 'nome' | 'empresa_id' | 'empresa_nome' | 'escopo' | 'validade'

/** The fields of the form, as text. */
export type FormularioChave = Record<CampoChave, string>

type ProblemaChave = 'nomeFalta' | 'empresaFalta'

/** Choices for the validity of a chave in days; '': no expiry. */
export const validades = ['30', '90', '365', ''] as const

const DAY_MS = 86_400_000

export const emptyChave: FormularioChave = {
  nome: '',
  empresa_id: '',
  empresa_nome: '',
  escopo: 'leitura',
  validade: '365',
}

export function checkChave(form: FormularioChave, { needsEmpresa }: { needsEmpresa: boolean }) {
  const problems: Partial<Record<CampoChave, ProblemaChave>> = {}
  if (form.nome.trim() === '') problems.nome = 'nomeFalta'
  if (needsEmpresa && form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  return problems
}

/** Body of the creation. */
export const chaveCreationOf = ({ nome, empresa_id, escopo, validade }: FormularioChave, now: number) => ({
  nome: nome.trim(),
  escopo,
  ...(empresa_id === '' ? {} : { empresa_id: Number(empresa_id) }),
  ...(validade === '' ? {} : { validade: new Date(now + Number(validade) * DAY_MS).toISOString() }),
})

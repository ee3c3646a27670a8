export type FormularioSenha = Record<'atual' | 'nova' | 'repetida', string>
type ProblemaSenha = 'faltaAtual' | 'curta' | 'diferente' | 'igual'

export const emptyPassword: FormularioSenha = { atual: '', nova: '', repetida: '' }

/** Smallest length of a password, as in the cloud. */
export const SENHA_MIN = 8

export function checkPassword(form: Readonly<FormularioSenha>): Partial<Record<keyof FormularioSenha, ProblemaSenha>> {
  const problems: Partial<Record<keyof FormularioSenha, ProblemaSenha>> = {}
  if (form.atual === '') problems.atual = 'faltaAtual'
  if (form.nova.length < SENHA_MIN) problems.nova = 'curta'
  else if (form.nova === form.atual) problems.nova = 'igual'
  else if (form.nova !== form.repetida) problems.repetida = 'diferente'
  return problems
}

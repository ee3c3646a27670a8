import { type Empresa, empresaPatchSchema, FUSO_PADRAO } from '@vigia/contracts/empresas'

/** Time zones of Brazil (IANA), and the cities or states that use them. Proper names need no translation. */
const fusosBrasil = {
  'America/Sao_Paulo': 'Brasília, São Paulo, Rio de Janeiro, Sul',
  'America/Bahia': 'Bahia',
  'America/Belem': 'Belém, Macapá',
  'America/Fortaleza': 'Fortaleza, São Luís, Teresina, Natal',
  'America/Recife': 'Recife',
  'America/Maceio': 'Maceió, Aracaju',
  'America/Araguaina': 'Tocantins',
  'America/Santarem': 'Santarém',
  'America/Campo_Grande': 'Mato Grosso do Sul',
  'America/Cuiaba': 'Mato Grosso',
  'America/Manaus': 'Manaus',
  'America/Porto_Velho': 'Rondônia',
  'America/Boa_Vista': 'Roraima',
  'America/Rio_Branco': 'Acre',
  'America/Eirunepe': 'Eirunepé',
  'America/Noronha': 'Fernando de Noronha',
} as const

export const nameOfFuso = (fuso: string): string => fusosBrasil[fuso as keyof typeof fusosBrasil] ?? fuso

/** Choices of the form: those of Brazil, and the stored one. */
export const fusosOffered = (stored: string): string[] => [...new Set([...Object.keys(fusosBrasil), stored])]

export type FormularioEmpresa = Record<'nome' | 'fuso_horario' | 'host' | 'redes_permitidas', string>
type ProblemaEmpresa = 'nomeFalta' | 'hostErrado'

/** @param empresa null: a new one */
export const empresaFormOf = (empresa: Empresa | null): FormularioEmpresa => ({
  nome: empresa?.nome ?? '',
  fuso_horario: empresa?.fuso_horario ?? FUSO_PADRAO,
  host: empresa?.host ?? '',
  redes_permitidas: (empresa?.redes_permitidas ?? []).join('\n'),
})

/** Problems that the page can find before the request; the cloud checks all fields again. */
export function checkEmpresa({
  nome,
  host,
}: Readonly<FormularioEmpresa>): Partial<Record<keyof FormularioEmpresa, ProblemaEmpresa>> {
  const badHost = host.trim() !== '' && !empresaPatchSchema.safeParse({ host }).success
  return { ...(nome.trim() === '' && { nome: 'nomeFalta' }), ...(badHost && { host: 'hostErrado' }) }
}

/** Body of the creation. */
export const empresaCreationOf = ({ nome, fuso_horario }: Readonly<FormularioEmpresa>) => ({
  nome: nome.trim(),
  fuso_horario,
})

/** Body of the change: only the fields that differ; null if none does. */
export function empresaChangeOf(empresa: Empresa, form: Readonly<FormularioEmpresa>) {
  const before = empresaFormOf(empresa)
  const host = form.host.trim().toLowerCase()
  const changes = {
    ...(form.nome.trim() !== before.nome && { nome: form.nome.trim() }),
    ...(form.fuso_horario !== before.fuso_horario && { fuso_horario: form.fuso_horario }),
    ...(host !== before.host && { host: host === '' ? null : host }),
    ...(form.redes_permitidas !== before.redes_permitidas && { redes_permitidas: linesOf(form.redes_permitidas) }),
  }
  return Object.keys(changes).length === 0 ? null : changes
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

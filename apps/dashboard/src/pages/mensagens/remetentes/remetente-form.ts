import { VigiaError } from '@vigia/contracts/errors'
import { type Remetentes, remetentesPatchSchema, type TipoRemetente } from '@vigia/contracts/remetentes'

/** Fields of each kind of sender, in their order on screen. */
export const fieldsOf = {
  email: ['servidor', 'porta', 'seguranca', 'usuario', 'senha', 'endereco', 'nome'],
  whatsapp: ['account_sid', 'token', 'numero', 'content_sid', 'content_sid_imagem'],
  telegram: ['token'],
} as const satisfies Record<TipoRemetente, readonly string[]>

export type CampoRemetente = (typeof fieldsOf)[TipoRemetente][number]
export type FormularioRemetente = Record<CampoRemetente, string>

/** Fields that no answer holds. */
export const isSecret = (field: CampoRemetente): boolean => field === 'senha' || field === 'token'

const initial: FormularioRemetente = {
  servidor: '',
  porta: '587',
  seguranca: 'starttls',
  usuario: '',
  senha: '',
  endereco: '',
  nome: 'Vigia',
  account_sid: '',
  token: '',
  numero: '',
  content_sid: '',
  content_sid_imagem: '',
}

export function remetenteFormOf({ valores }: Remetentes[TipoRemetente]): FormularioRemetente {
  const texts = Object.entries(valores ?? {}).map(([field, value]) => [field, value === null ? '' : String(value)])
  return { ...initial, ...Object.fromEntries(texts) }
}

/** Body of the change of one kind. An empty secret keeps the stored one. */
export function remetenteBodyOf(tipo: TipoRemetente, form: Readonly<FormularioRemetente>): object {
  const nullable = new Set<CampoRemetente>(['usuario', 'content_sid_imagem'])
  const fields = fieldsOf[tipo].flatMap((field: CampoRemetente): [string, unknown][] => {
    const text = form[field].trim()
    if (isSecret(field)) return form[field] === '' ? [] : [[field, form[field]]]
    if (field === 'porta') return [[field, Number(text)]]
    return [[field, text === '' && nullable.has(field) ? null : text]]
  })
  return { [tipo]: Object.fromEntries(fields) }
}

/** Fields that do not fit; the cloud checks all fields again. */
export function checkRemetente(
  tipo: TipoRemetente,
  form: Readonly<FormularioRemetente>,
): Partial<Record<CampoRemetente, 'campoErrado'>> {
  const { error } = remetentesPatchSchema.safeParse(remetenteBodyOf(tipo, form))
  const fields = error?.issues.map(({ path }) => path[1] as CampoRemetente) ?? []
  return Object.fromEntries(fields.map((field) => [field, 'campoErrado']))
}

/** Moves each problem from below its kind to the field of the form. */
export function withFields(error: unknown): unknown {
  if (!(error instanceof VigiaError) || error.code !== 'validacao') return error
  const itens = error.itens.map((item) => ({ ...item, loc: ['body', ...item.loc.slice(2)] }))
  return new VigiaError(error.code, { detalhe: error.detalhe, itens, cause: error })
}

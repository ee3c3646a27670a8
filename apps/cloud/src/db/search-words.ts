import { names } from '@vigia/ias/label-names'

/** Longest indexed word; both sides cut words there. */
const MAX_LENGTH = 40

/**
 * The different words of a text, without accents and in lower case. A plate keeps its parts together: `ABC-1D23` is one
 * word.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\b([a-z]{3})-(\d[a-z\d]\d\d)\b/g, '$1$2')
  return [...new Set((plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word].slice(0, MAX_LENGTH).join('')))]
}

/** Terms of fields: they match whole, and no word of a text begins with `=`. */
export const cameraTerm = (cameraId: number): string => `=c${cameraId}`
export const tipoTerm = (tipo: string): string => `=t${tipo}`
export const answererTerm = (name: string): string => `=p${name.normalize('NFKC').toLowerCase()}`

/** Fields of an event that its terms come from. */
interface Indexed {
  readonly camera_id: number
  readonly camera_nome: string
  readonly tipo: string
  readonly rotulos_json: string
  readonly detalhes_json: string
}

/** Terms of an event: camera, IA, labels in both languages, and plate. */
export function eventTerms({ camera_id, camera_nome, tipo, rotulos_json, detalhes_json }: Indexed): string[] {
  const rotulos = JSON.parse(rotulos_json) as string[]
  const { placa } = JSON.parse(detalhes_json) as { placa?: unknown }
  const texts = [
    camera_nome,
    tipo,
    ...rotulos,
    ...rotulos.map((rotulo) => (Object.hasOwn(names, rotulo) ? names[rotulo] : '')),
    ...(typeof placa === 'string' ? [placa] : []),
  ]
  return [...new Set([cameraTerm(camera_id), tipoTerm(tipo), ...wordsOf(texts.join(' '))])]
}

/** Terms of an answer or of a review. */
export const answerTerms = (name: string, nota: string | null): string[] => [
  ...new Set([answererTerm(name), ...wordsOf(`${name} ${nota ?? ''}`)]),
]

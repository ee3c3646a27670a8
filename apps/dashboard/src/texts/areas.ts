import type { Idioma } from './idiomas.ts'
import type placeholders from './placeholders.json'

/**
 * Texts by area. A file contains groups of keys: `"cameras": { "titulo": … }` is `t('cameras.titulo')`.
 * `base` is loaded before the first render. A route loads each other area that its page uses (router.tsx).
 */
const languages = {
  'pt-BR': {
    base: () => import('./pt-BR/base.json'),
    agentes: () => import('./pt-BR/agentes.json'),
    auditoria: () => import('./pt-BR/auditoria.json'),
    avisos: () => import('./pt-BR/avisos.json'),
    camera: () => import('./pt-BR/camera.json'),
    busca: () => import('./pt-BR/busca.json'),
    canais: () => import('./pt-BR/canais.json'),
    cameras: () => import('./pt-BR/cameras.json'),
    conta: () => import('./pt-BR/conta.json'),
    edges: () => import('./pt-BR/edges.json'),
    empresas: () => import('./pt-BR/empresas.json'),
    gravacoes: () => import('./pt-BR/gravacoes.json'),
    gravadores: () => import('./pt-BR/gravadores.json'),
    linhaDoTempo: () => import('./pt-BR/linha-do-tempo.json'),
    livro: () => import('./pt-BR/livro.json'),
    pendencias: () => import('./pt-BR/pendencias.json'),
    pessoas: () => import('./pt-BR/pessoas.json'),
    placas: () => import('./pt-BR/placas.json'),
    plantao: () => import('./pt-BR/plantao.json'),
    relatorios: () => import('./pt-BR/relatorios.json'),
    remetentes: () => import('./pt-BR/remetentes.json'),
    retencao: () => import('./pt-BR/retencao.json'),
    verificadorExterno: () => import('./pt-BR/verificador-externo.json'),
  },
  en: {
    base: () => import('./en/base.json'),
    agentes: () => import('./en/agentes.json'),
    auditoria: () => import('./en/auditoria.json'),
    avisos: () => import('./en/avisos.json'),
    camera: () => import('./en/camera.json'),
    busca: () => import('./en/busca.json'),
    canais: () => import('./en/canais.json'),
    cameras: () => import('./en/cameras.json'),
    conta: () => import('./en/conta.json'),
    edges: () => import('./en/edges.json'),
    empresas: () => import('./en/empresas.json'),
    gravacoes: () => import('./en/gravacoes.json'),
    gravadores: () => import('./en/gravadores.json'),
    linhaDoTempo: () => import('./en/linha-do-tempo.json'),
    livro: () => import('./en/livro.json'),
    pendencias: () => import('./en/pendencias.json'),
    pessoas: () => import('./en/pessoas.json'),
    placas: () => import('./en/placas.json'),
    plantao: () => import('./en/plantao.json'),
    relatorios: () => import('./en/relatorios.json'),
    remetentes: () => import('./en/remetentes.json'),
    retencao: () => import('./en/retencao.json'),
    verificadorExterno: () => import('./en/verificador-externo.json'),
  },
}
export type Area = keyof (typeof languages)['pt-BR']
export const nomesAreas = Object.keys(languages['pt-BR']) as Area[]

type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (one: infer All) => void ? All : never
type Texts<I extends Idioma> = Merged<{ [A in Area]: Awaited<ReturnType<(typeof languages)[I][A]>>['default'] }[Area]>

type Path<Group extends string, Name extends string> = Group extends '' ? Name : `${Group}.${Name}`
type Keys<T, Key extends string = ''> = T extends string | readonly string[]
  ? Key
  : { [Name in keyof T & string]: Keys<T[Name], Path<Key, Name>> }[keyof T & string]
type KeysBy = { [I in Idioma]: Keys<Texts<I>> }
/** `en: cameras.titulo`, if another language has this text. */
type Missing = { [I in Idioma]: `${I}: ${Exclude<KeysBy[Idioma], KeysBy[I]>}` }[Idioma]

/** A missing text fails the type check, which names it. */
export const areas: Readonly<Record<Idioma | Missing, Readonly<Record<Area, () => Promise<{ default: object }>>>>> =
  languages

type Placeholders = typeof placeholders
/** The type of a text contains its placeholders, so that `t` requires a value for each. */
type Typed<T, Key extends string = ''> = T extends string
  ? Key extends keyof Placeholders
    ? `{{${keyof Placeholders[Key] & string}}}`
    : Key
  : T extends readonly string[]
    ? readonly string[]
    : { readonly [Name in keyof T & string]: Typed<T[Name], Path<Key, Name>> }
/** All texts of the page, as the keys of `t` see them. */
export type Pagina = Typed<Texts<'pt-BR'>>

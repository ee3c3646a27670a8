import type { Idioma } from './idiomas.ts'
import type { SameTexts } from './shape.ts'

/**
 * Texts by area. Each file exports one object per group of keys: `export const cameras` holds `t('cameras.titulo')`.
 * `base` is loaded before the first render. A route loads each other area that its page uses (router.tsx).
 */
const portuguese = {
  base: () => import('./pt-br.ts'),
  agentes: () => import('./pt-br-agentes.ts'),
  auditoria: () => import('./pt-br-auditoria.ts'),
  avisos: () => import('./pt-br-avisos.ts'),
  camera: () => import('./pt-br-camera.ts'),
  busca: () => import('./pt-br-busca.ts'),
  canais: () => import('./pt-br-canais.ts'),
  cameras: () => import('./pt-br-cameras.ts'),
  conta: () => import('./pt-br-conta.ts'),
  edges: () => import('./pt-br-edges.ts'),
  empresas: () => import('./pt-br-empresas.ts'),
  gravacoes: () => import('./pt-br-gravacoes.ts'),
  gravadores: () => import('./pt-br-gravadores.ts'),
  linhaDoTempo: () => import('./pt-br-linha-do-tempo.ts'),
  pendencias: () => import('./pt-br-pendencias.ts'),
  pessoas: () => import('./pt-br-pessoas.ts'),
  placas: () => import('./pt-br-placas.ts'),
  plantao: () => import('./pt-br-plantao.ts'),
  relatorios: () => import('./pt-br-relatorios.ts'),
  remetentes: () => import('./pt-br-remetentes.ts'),
  retencao: () => import('./pt-br-retencao.ts'),
  verificadorExterno: () => import('./pt-br-verificador-externo.ts'),
}
export type Area = keyof typeof portuguese
type TextsOf<A extends Area> = Awaited<ReturnType<(typeof portuguese)[A]>>

const english: { readonly [A in Area]: () => Promise<SameTexts<TextsOf<A>>> } = {
  base: () => import('./en.ts'),
  agentes: () => import('./en-agentes.ts'),
  auditoria: () => import('./en-auditoria.ts'),
  avisos: () => import('./en-avisos.ts'),
  camera: () => import('./en-camera.ts'),
  busca: () => import('./en-busca.ts'),
  canais: () => import('./en-canais.ts'),
  cameras: () => import('./en-cameras.ts'),
  conta: () => import('./en-conta.ts'),
  edges: () => import('./en-edges.ts'),
  empresas: () => import('./en-empresas.ts'),
  gravacoes: () => import('./en-gravacoes.ts'),
  gravadores: () => import('./en-gravadores.ts'),
  linhaDoTempo: () => import('./en-linha-do-tempo.ts'),
  pendencias: () => import('./en-pendencias.ts'),
  pessoas: () => import('./en-pessoas.ts'),
  placas: () => import('./en-placas.ts'),
  plantao: () => import('./en-plantao.ts'),
  relatorios: () => import('./en-relatorios.ts'),
  remetentes: () => import('./en-remetentes.ts'),
  retencao: () => import('./en-retencao.ts'),
  verificadorExterno: () => import('./en-verificador-externo.ts'),
}

export const areas: Readonly<Record<Idioma, Readonly<Record<Area, () => Promise<object>>>>> = {
  'pt-BR': portuguese,
  en: english,
}
export const nomesAreas = Object.keys(portuguese) as Area[]

type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (one: infer All) => void ? All : never
/** All texts of the page, as the keys of `t` see them. */
export type Pagina = Merged<{ [A in Area]: TextsOf<A> }[Area]>

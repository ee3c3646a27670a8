import { labelNames } from '@vigia/ias/label-names'
import type { Evento, Veredito } from './eventos.ts'
import { ia } from './ias.ts'

/** Outcome of a verification as people read it; `incerto`: confirmed with `certeza` `baixa`. */
export type Desfecho = 'confirmado' | 'incerto' | 'refutado'

export const desfechoDe = ({ decisao, certeza }: Pick<Veredito, 'decisao' | 'certeza'>): Desfecho =>
  decisao === 'confirmado' && certeza === 'baixa' ? 'incerto' : decisao

/** Portuguese name of the thing that the event is about, without article. */
export const assuntoDe = ({ tipo, rotulos }: Pick<Evento, 'tipo' | 'rotulos'>): string =>
  ia(tipo).assunto?.portugues ?? labelNames(rotulos.length > 0 ? rotulos : ia(tipo).rotulos)

/** Portuguese words of a verdict in place of numbers, for screens and messages. */
export function palavrasVeredito(
  veredito: Pick<Veredito, 'decisao' | 'certeza'>,
  evento: Pick<Evento, 'tipo' | 'rotulos'>,
): string {
  const assunto = assuntoDe(evento)
  switch (desfechoDe(veredito)) {
    case 'confirmado':
      return 'Confirmado'
    case 'incerto':
      return `Pode ser ${assunto} – confira`
    case 'refutado':
      return `Descartado: não havia ${assunto}`
  }
}

/** One part of the `fonte` of a verdict; `outro`: a kind that this release does not know. */
export interface ParteDaFonte {
  readonly quem: 'central' | 'externo' | 'listas' | 'outro'
  /** Model of an external verifier, or the text of `outro`. */
  readonly modelo: string
}

/** The givers of a verdict, from `local:m`, `vlm:m`, `listas`, or several of them with `, ` between. */
export const partesDaFonte = (fonte: string): ParteDaFonte[] =>
  fonte.split(', ').map((parte) => {
    if (parte.startsWith('local:')) return { quem: 'central', modelo: '' }
    if (parte.startsWith('vlm:')) return { quem: 'externo', modelo: parte.slice('vlm:'.length) }
    return parte === 'listas' ? { quem: 'listas', modelo: '' } : { quem: 'outro', modelo: parte }
  })

const palavrasDe: { readonly [Q in ParteDaFonte['quem']]: (modelo: string) => string } = {
  central: () => 'verificação da central',
  externo: (modelo) => `verificador externo (${modelo})`,
  listas: () => 'listas de placas',
  outro: (modelo) => modelo,
}

/** Portuguese words of the `fonte` of a verdict. */
export const palavrasFonte = (fonte: string): string =>
  partesDaFonte(fonte)
    .map(({ quem, modelo }) => palavrasDe[quem](modelo))
    .join(', ')

/** Whether the reason of a verdict says more than its words: a person has to look, or an external verifier wrote it. */
export const motivoAcrescenta = (veredito: Pick<Veredito, 'decisao' | 'certeza' | 'fonte'>): boolean =>
  desfechoDe(veredito) === 'incerto' || partesDaFonte(veredito.fonte).some(({ quem }) => quem !== 'central')

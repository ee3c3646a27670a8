import type { Certeza, Decisao } from '@vigia/contracts/eventos'
import { sql } from 'kysely'

/**
 * Class of an event by its verdict, as `contagens_eventos.situacao` stores it: the decision, with its certeza where the
 * verdict has one.
 */
export type ClasseVeredito = 'pendente' | Decisao | `${Decisao}-${Certeza}`

const classes: readonly ClasseVeredito[] = [
  'pendente',
  'confirmado',
  'confirmado-alta',
  'confirmado-baixa',
  'refutado',
  'refutado-alta',
  'refutado-baixa',
]

interface VerdictColumns {
  readonly veredito_decisao: Decisao | null
  readonly veredito_certeza: Certeza | null
}

export const classOf = ({ veredito_decisao, veredito_certeza }: VerdictColumns): ClasseVeredito => {
  if (veredito_decisao === null) return 'pendente'
  return veredito_certeza === null ? veredito_decisao : `${veredito_decisao}-${veredito_certeza}`
}

/** Decision of a class; `pendente`: none. */
export const decisionOf = (classe: ClasseVeredito): Decisao | 'pendente' =>
  classe === 'pendente' ? classe : classe.startsWith('confirmado') ? 'confirmado' : 'refutado'

/** null: the class has no certeza. */
export const certezaOf = (classe: ClasseVeredito): Certeza | null =>
  classe.endsWith('-alta') ? 'alta' : classe.endsWith('-baixa') ? 'baixa' : null

/** Classes that a filter accepts; undefined: all. */
export function classesOf(filter: {
  readonly veredito?: Decisao | 'pendente' | undefined
  readonly certeza?: Certeza | undefined
}): readonly ClasseVeredito[] | undefined {
  const { veredito, certeza } = filter
  if (veredito === undefined && certeza === undefined) return undefined
  return classes.filter(
    (classe) =>
      (veredito === undefined || decisionOf(classe) === veredito) &&
      (certeza === undefined || certezaOf(classe) === certeza),
  )
}

/**
 * The class of an event, never null. The indexes of migration 0023 have the same text and serve only this exact
 * expression.
 */
export const classExpression = (alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<ClasseVeredito>`cast(coalesce(${column('veredito_decisao')} || coalesce('-' || ${column(
    'veredito_certeza',
  )}, ''), 'pendente') as text)`
}

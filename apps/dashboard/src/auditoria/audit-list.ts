import type { CanalAuditoria, ObjetoAuditoria, RegistroAuditoria } from '@vigia/contracts/auditoria'

/** Which records a list shows; null: all. */
export interface FiltroAuditoria {
  readonly empresa: number | null
  /** Id of the login. */
  readonly pessoa: number | null
  readonly coisa: ObjetoAuditoria | null
  readonly porta: CanalAuditoria | null
  /** ISO 8601: from `desde` on, before `ate`. */
  readonly desde: string | null
  readonly ate: string | null
}

/**
 * The pages as one list, newest first. What is recorded between the fetching of two pages moves the last record of the one
 * to the next: it is shown once.
 */
export const flatten = (pages: readonly (readonly RegistroAuditoria[])[]): RegistroAuditoria[] =>
  [...new Map(pages.flat().map((record) => [record.id, record])).values()].sort((a, b) => b.id - a.id)

/** A field that changed: its name, with those of the fields that it stands in. null: it was not there, or empty. */
export interface CampoMudado {
  readonly caminho: readonly string[]
  readonly antes: unknown
  readonly depois: unknown
}

type Campos = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Campos =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Changes with every change, and says nothing. */
const BOOKKEEPING = new Set(['atualizada_em', 'atualizado_em'])

/** The fields that differ, down to the innermost: of a whole calibration, the one threshold that was moved. */
export function changedFields(antes: Campos | null, depois: Campos | null): CampoMudado[] {
  const names = new Set([...Object.keys(antes ?? {}), ...Object.keys(depois ?? {})])
  return [...names].flatMap((name) => {
    const [was, is] = [antes?.[name] ?? null, depois?.[name] ?? null]
    if (JSON.stringify(was) === JSON.stringify(is) || BOOKKEEPING.has(name)) return []
    const inner = (isFields(was) || was === null) && (isFields(is) || is === null)
    if (!inner) return [{ caminho: [name], antes: was, depois: is }]
    return changedFields(was as Campos | null, is as Campos | null).map((field) => ({
      ...field,
      caminho: [name, ...field.caminho],
    }))
  })
}

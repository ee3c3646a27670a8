/** A changed field; `caminho` is its path. null: absent or empty. */
export interface CampoMudado {
  readonly caminho: readonly string[]
  readonly antes: unknown
  readonly depois: unknown
}

type Campos = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Campos =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields that differ after each change. */
const BOOKKEEPING = new Set(['atualizada_em', 'atualizado_em'])

/** Returns the innermost fields that differ: of a whole calibration only the changed threshold. */
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

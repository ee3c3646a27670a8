import { z } from 'zod'

const finished = new WeakMap<z.ZodType, z.ZodType>()

/**
 * `schema` with every object strict: an unknown field is rejected (`extra_forbidden`) in place of being dropped. An
 * object with its own rule for unknown fields (`catchall`, `looseObject`) stays unchanged. The component name and the
 * description of the API reference are kept.
 * @throws Error for a kind of schema without a rule here
 */
export function strictBody<S extends z.ZodType>(schema: S): S {
  const known = finished.get(schema)
  if (known) return known as S
  const closed = close(schema)
  if (closed !== schema) z.globalRegistry.add(closed, z.globalRegistry.get(schema) ?? {})
  finished.set(schema, closed)
  return closed as S
}

function close(schema: z.ZodType): z.ZodType {
  const { def } = schema._zod
  const within = (parts: Readonly<Record<string, unknown>>): z.ZodType => {
    const current = def as unknown as Readonly<Record<string, unknown>>
    const changed = Object.entries(parts).some(([name, part]) => current[name] !== part)
    return changed ? schema.clone({ ...def, ...parts } as never) : schema
  }
  if (schema instanceof z.ZodObject) {
    const entries = Object.entries(schema.shape).map(([name, field]) => [name, strictBody(field as z.ZodType)] as const)
    const same = entries.every(([name, field]) => schema.shape[name] === field)
    const { catchall } = schema._zod.def
    return within({
      shape: same ? schema._zod.def.shape : Object.fromEntries(entries),
      catchall: catchall ?? z.never(),
    })
  }
  if (schema instanceof z.ZodArray) return within({ element: strictBody(schema.element as z.ZodType) })
  if (schema instanceof z.ZodUnion) {
    const options = (schema.options as readonly z.ZodType[]).map(strictBody)
    const same = options.every((option, index) => option === schema.options[index])
    return same ? schema : within({ options })
  }
  if (schema instanceof z.ZodRecord) return within({ valueType: strictBody(schema.valueType as z.ZodType) })
  if (schema instanceof z.ZodPipe) return within({ in: strictBody(schema.in as z.ZodType) })
  if ('innerType' in def) return within({ innerType: strictBody(def.innerType as z.ZodType) })
  if (plain.has(def.type)) return schema
  throw new Error(`strictBody: no rule for a ${def.type} schema`)
}

/** Kinds of schema without inner schemas. */
const plain: ReadonlySet<string> = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'null',
  'literal',
  'enum',
  'transform',
  'unknown',
  'never',
])

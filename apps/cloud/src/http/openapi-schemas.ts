import { z } from 'zod'

/** `input`: a request body (a default makes a field optional); `output`: an answer. */
type Side = 'input' | 'output'
type JsonSchema = Record<string, unknown>

/**
 * Turns zod schemas into JSON Schema 2020-12, which OpenAPI 3.1 uses unchanged. A schema with `.meta({ id })` becomes a
 * component of that name. If its two sides differ, the input side becomes `<id>Entrada`.
 */
export function createSchemaCollector() {
  const named: Record<Side, Map<string, JsonSchema>> = { input: new Map(), output: new Map() }

  function take(schema: z.ZodType, side: Side): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...root
    } = z.toJSONSchema(schema, {
      io: side,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema, side),
    })
    for (const [name, definition] of Object.entries($defs ?? {})) named[side].set(name, mark(definition, side))
    return mark(root, side)
  }

  /** The components, and `document` with the references of `take` resolved to component names. */
  function finish<T extends object>(document: T): { document: T; schemas: Record<string, JsonSchema> } {
    const different = differingNames(named)
    const finalName = (side: string, name: string) =>
      side === 'input' && different.has(name) ? `${name}Entrada` : name
    const settle = <V>(value: V): V =>
      JSON.parse(
        JSON.stringify(value).replaceAll(
          /"#\/(input|output)\/([^"]+)"/g,
          (_, side: string, name: string) => `"#/components/schemas/${finalName(side, name)}"`,
        ),
      )
    const schemas = [...named.output.entries()].map(([name, schema]) => [name, settle(schema)] as const)
    for (const [name, schema] of named.input) schemas.push([finalName('input', name), settle(schema)])
    return {
      document: settle(document),
      schemas: Object.fromEntries(schemas.sort(([a], [b]) => a.localeCompare(b))),
    }
  }

  return { take, finish }
}

/** Marks the references with their side. The final name of a side is known only after the last `take`. */
const mark = (schema: object, side: Side): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"#/${side}/`))

/** Names whose two sides differ, directly or in a schema that they refer to. */
function differingNames({ input, output }: Record<Side, Map<string, JsonSchema>>): ReadonlySet<string> {
  const unmarked = (schema: unknown) => JSON.stringify(schema).replaceAll(/"#\/(input|output)\//g, '"#/')
  const both = [...input.keys()].filter((name) => output.has(name))
  const different = new Set(both.filter((name) => unmarked(input.get(name)) !== unmarked(output.get(name))))
  const refersToDifferent = (name: string) =>
    [...unmarked(input.get(name)).matchAll(/"#\/([^"]+)"/g)].some(([, other = '']) => different.has(other))
  for (let size = -1; size !== different.size; ) {
    size = different.size
    for (const name of both) if (refersToDifferent(name)) different.add(name)
  }
  return different
}

/** Removes keywords that are useless to a reader, or wrong without the rest of the zod schema. */
function tidy(zodSchema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema, side: Side): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  if (json.format === 'date-time') delete json.pattern
  // JSON Schema has no flags, and without the flag `i` the pattern would reject valid values.
  const patterns = zodSchema._zod.bag.patterns as Set<RegExp> | undefined
  if (patterns && [...patterns].some(({ flags }) => flags.includes('i'))) delete json.pattern
  // Later versions may add fields to an answer, and clients must accept them.
  const { def } = zodSchema._zod
  if (side === 'output' && def.type === 'object' && !(def as z.core.$ZodObjectDef).catchall)
    delete json.additionalProperties
}

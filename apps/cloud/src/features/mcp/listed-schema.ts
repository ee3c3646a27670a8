import { z } from 'zod'

/** Metadata of a schema in the REST API without its id, because zod would emit a named schema as a reference. */
const unnamed = Object.assign(z.registry<z.GlobalMeta>(), {
  get: (schema: z.core.$ZodType) => {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {}
    return meta
  },
})

/** Bounds that zod adds to every integer: the safe integers of JSON. */
const exact = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]

/**
 * The JSON Schema of a listed tool. Without `$schema` the protocol assumes draft 2020-12.
 *
 * Clients forward it to the provider of their model, and one unsupported keyword makes the provider reject the whole
 * list. Some provider rejects each of these: references (their definitions are dropped), `$schema`, `propertyNames` and
 * `pattern`. Dialects of `pattern` differ: Python lacks `\p{L}`, RE2 and Rust lack lookaround, and flags are lost
 * everywhere. A list also costs tokens: bounds that every integer has are omitted.
 */
function listedJson(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, {
    io,
    metadata: unnamed,
    override: ({ jsonSchema }) => {
      if (exact.includes(jsonSchema.minimum ?? 0)) delete jsonSchema.minimum
      if (exact.includes(jsonSchema.maximum ?? 0)) delete jsonSchema.maximum
      delete jsonSchema.pattern
      delete jsonSchema.propertyNames
      if (jsonSchema.allOf?.every((member) => Object.keys(member).join() === 'pattern')) delete jsonSchema.allOf
    },
  })
  return listed
}

/**
 * A schema in the form of the library (Standard Schema). It accepts every value, because the library would answer a
 * wrong one with one English line. Later parseInput validates with the sentences of the REST API.
 */
export function listedSchema(schema: z.ZodType, io: 'input' | 'output') {
  const json = listedJson(schema, io)
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'vigia',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  }
}

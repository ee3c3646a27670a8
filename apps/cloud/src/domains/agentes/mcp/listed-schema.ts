import { z } from 'zod'

/** Metadata of a schema in the REST API without its id, because zod would emit a named schema as a reference. */
const unnamed = Object.assign(z.registry<z.GlobalMeta>(), {
  get: (schema: z.core.$ZodType) => {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {}
    return meta
  },
})

/**
 * Keywords that a list omits. Dialects of `pattern` differ: Python lacks `\p{L}`, RE2 and Rust lack lookaround, and
 * flags are lost everywhere. The others cost tokens, and a refusal of the server names the limit in a sentence.
 */
const OMITTED = [
  'pattern',
  'propertyNames',
  'format',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const

/**
 * The JSON Schema of the input of a listed tool. Without `$schema` the protocol assumes draft 2020-12.
 *
 * Clients forward it to the provider of their model, and one unsupported keyword makes the provider reject the whole
 * list. Some provider rejects each of these: references (their definitions are dropped), `$schema`, `propertyNames` and
 * `pattern`.
 */
function inputJson(schema: z.ZodType) {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: unnamed,
    override: ({ jsonSchema }) => {
      for (const keyword of OMITTED) delete jsonSchema[keyword]
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      if (jsonSchema.allOf?.every((member) => Object.keys(member).join() === 'pattern')) delete jsonSchema.allOf
    },
  })
  return listed
}

/**
 * A schema in the form of the library (Standard Schema). It accepts every value, because the library would answer a
 * wrong one with one English line. Later parseInput validates with the sentences of the REST API.
 */
export function listedSchema(schema: z.ZodType) {
  const json = inputJson(schema)
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'vigia',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  }
}

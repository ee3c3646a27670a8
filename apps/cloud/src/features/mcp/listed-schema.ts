import { z } from 'zod'

/** What the REST API says of a schema, without its name: a named one would be listed as a reference. */
const unnamed = Object.assign(z.registry<z.GlobalMeta>(), {
  get: (schema: z.core.$ZodType) => {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {}
    return meta
  },
})

/** Bounds that zod gives every integer: what a JSON number holds exactly. */
const exact = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]

/**
 * The JSON Schema by which a tool is listed (draft 2020-12, which is what the protocol takes one without `$schema` for).
 *
 * A client hands it on to the maker of its model, and one keyword that this maker does not take costs the whole list. Each of
 * these does somewhere: references (their definitions are dropped on the way), `$schema`, `pattern` (the dialects differ: Python
 * knows no `\p{L}`, RE2 and Rust look neither ahead nor behind, and flags are lost everywhere), `propertyNames`. A list is also
 * read by a model that pays for each word: bounds that every integer has say nothing.
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
 * A schema in the form that the library takes (Standard Schema). It is only listed: the library would refuse in English and in
 * one line, so values pass it and are checked by the rules and words of the REST API.
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

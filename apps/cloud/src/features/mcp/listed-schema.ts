import { z } from 'zod'

/** Bounds that zod gives every integer: what a JSON number holds exactly. */
const exact = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]

/**
 * The JSON Schema by which a tool is listed. A list is read by a model that pays for each word, so what says nothing is left
 * out: bounds of every integer, and patterns that spell a format out.
 */
const listedJson = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      if (exact.includes(jsonSchema.minimum ?? 0)) delete jsonSchema.minimum
      if (exact.includes(jsonSchema.maximum ?? 0)) delete jsonSchema.maximum
      if (jsonSchema.format) delete jsonSchema.pattern
    },
  }) as Record<string, unknown>

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

import { z } from 'zod'

/**
 * A field of a body that a tool offers: its description for an agent, or a schema of the tool. With `nulo` the tool
 * offers null too, because null means something there.
 */
export type Offer = string | { readonly nulo: string } | z.ZodType

type Bare<S> = S extends z.ZodOptional<infer I> ? Bare<I> : S extends z.ZodNullable<infer I> ? Bare<I> : S

type Offered<S, O> = O extends z.ZodType
  ? O
  : O extends string
    ? S extends z.ZodOptional
      ? z.ZodOptional<Bare<S> & z.ZodType>
      : Bare<S>
    : z.ZodOptional<z.ZodNullable<Bare<S> & z.ZodType>>

/**
 * The fields that a tool offers of the body of a route: their schemas, and whether they are required, are those of the
 * route. A tool offers no null that means the same as a missing field.
 */
export function bodyFields<S extends z.ZodRawShape, const O extends { readonly [F in keyof S]?: Offer }>(
  body: z.ZodObject<S>,
  offers: O,
): { readonly [F in keyof O & keyof S]: Offered<S[F], O[F]> } {
  const fields = Object.entries(offers as Readonly<Record<string, Offer>>).map(([name, offer]) => {
    if (offer instanceof z.ZodType) return [name, offer]
    const declared = body.shape[name] as unknown as z.ZodType
    const bare = bareOf(declared)
    if (typeof offer !== 'string') return [name, bare.nullable().optional().describe(offer.nulo)]
    return [name, (declared instanceof z.ZodOptional ? bare.optional() : bare).describe(offer)]
  })
  // The cast is safe: the lines above follow `Offered`.
  return Object.fromEntries(fields) as never
}

/** The schema without its optional and nullable wrappers. */
function bareOf(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? bareOf(schema.unwrap() as z.ZodType)
    : schema
}

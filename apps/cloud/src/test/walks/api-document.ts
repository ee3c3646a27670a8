import type { Route } from '../../http/route.ts'
import { send } from '../clients/client.ts'
import type { TestApp } from '../clouds/test-app.ts'

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly [keyword: string]: unknown
}

interface Content {
  readonly schema?: JsonSchema
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly security: readonly Record<string, readonly string[]>[]
  readonly parameters?: readonly { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Described>>
}

interface Described {
  readonly $ref?: string
  readonly headers?: object
  readonly content?: Readonly<Record<string, Content>>
}

/** The OpenAPI document as an API client reads it. */
export interface ApiDocument {
  readonly openapi: string
  readonly info: { readonly version: string; readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Described>>
  }
}

/** Method and path of a request. */
export type Endpoint = Pick<Route, 'method' | 'path'>

/** All operations of the document. */
export const endpointsOf = (document: ApiDocument): Endpoint[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({ path, method }) as Endpoint),
  )

/** @throws Error with the log lines, when the document rejects a declaration. */
export async function fetchDocument({ url, logText }: Pick<TestApp, 'url' | 'logText'>): Promise<ApiDocument> {
  const answer = await send<ApiDocument>(`${url}/api/v1/openapi.json`)
  if (answer.status === 200) return answer.body
  const failure = logText()
    .split('\n')
    .findLast((line) => line.includes('"err"'))
  throw new Error(`openapi.json: ${answer.status}. ${failure}`)
}

/** The component that `schema` refers to, or `schema` itself. */
export function resolveSchema(document: ApiDocument, schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema
  const found = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')]
  if (!found) throw new Error(`${schema.$ref} leads nowhere`)
  return resolveSchema(document, found)
}

export interface RequestBody {
  readonly mediaType: string
  readonly schema: JsonSchema
  readonly examples: readonly unknown[]
}

export function operationOf(document: ApiDocument, { method, path }: Endpoint): Operation {
  const operation = document.paths[path]?.[method]
  if (!operation) throw new Error(`${method.toUpperCase()} ${path} is not in the document`)
  return operation
}

/** Schema of the request body of a route in the document; null: no body. */
export function bodyOf(document: ApiDocument, route: Endpoint): RequestBody | null {
  const [entry] = Object.entries(operationOf(document, route).requestBody?.content ?? {})
  if (!entry) return null
  const [mediaType, { schema = {} }] = entry
  const resolved = resolveSchema(document, schema)
  return { mediaType, schema, examples: resolved.examples ?? [] }
}

/**
 * Schemas of the response `status` of a route in the document, by media type; empty: not declared, or without a body.
 */
export function contentOf(document: ApiDocument, route: Endpoint, status: number): Readonly<Record<string, Content>> {
  const described = operationOf(document, route).responses[status]
  const name = described?.$ref?.replace('#/components/responses/', '')
  return (name === undefined ? described : document.components.responses[name])?.content ?? {}
}

import { z } from 'zod'

/** The used part of the result of z.toJSONSchema. */
interface Node {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Node>>
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Node[]
  readonly oneOf?: readonly Node[]
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Node
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Node>>
  readonly additionalProperties?: Node | boolean
}

/** JSON writes a control character as \u0000 (6 bytes), the longest form of a UTF-16 code unit. */
const BYTES_PER_CHARACTER = 6
const LONGEST_NUMBER = '-1.2345678901234567e-300'.length
/** Largest number of characters that these patterns allow. */
const patterns: Readonly<Record<string, number>> = { '^[0-9a-f]{64}$': 64, '^edge-[1-9]\\d{0,9}$': 15 }

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Bytes of the largest value of a schema as JSON; Infinity without a bound. */
export function largestJson(schema: z.ZodType): number {
  const root = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Node
  const largest = (node: Node): number => {
    if (node.$ref !== undefined) return largest(root.$defs?.[node.$ref.replace('#/$defs/', '')] ?? {})
    if (node.const !== undefined) return bytes(node.const)
    if (node.enum) return Math.max(...node.enum.map(bytes))
    const options = node.anyOf ?? node.oneOf
    if (options) return Math.max(...options.map(largest))
    if (typeof node.type === 'object') return Math.max(...node.type.map((type) => largest({ ...node, type })))
    switch (node.type) {
      case 'null':
        return bytes(null)
      case 'boolean':
        return bytes(false)
      case 'number':
        return LONGEST_NUMBER
      case 'integer':
        return Math.max(bytes(node.minimum ?? -Number.MAX_SAFE_INTEGER), bytes(node.maximum ?? Number.MAX_SAFE_INTEGER))
      case 'string':
        return largestString(node)
      case 'array':
        return 2 + (node.maxItems ?? Number.POSITIVE_INFINITY) * (largest(node.items ?? {}) + 1)
      case 'object':
        return largestObject(node)
      default:
        return Number.POSITIVE_INFINITY
    }
  }
  const largestString = ({ format, pattern, maxLength }: Node): number => {
    if (format === 'uuid') return bytes('0197a000-0000-4000-8000-000000000001')
    const known = pattern === undefined ? undefined : patterns[pattern]
    return 2 + (known ?? (maxLength ?? Number.POSITIVE_INFINITY) * BYTES_PER_CHARACTER)
  }
  const largestObject = ({ properties = {}, additionalProperties }: Node): number => {
    if (typeof additionalProperties === 'object') return Number.POSITIVE_INFINITY
    return Object.entries(properties).reduce((sum, [name, node]) => sum + bytes(name) + 1 + largest(node) + 1, 2)
  }
  return largest(root)
}

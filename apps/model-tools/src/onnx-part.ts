/** Takes the part of an ONNX file that computes one value. Reads protobuf wire bytes, as onnx-writer.ts writes them. */

export interface Field {
  readonly field: number
  readonly wire: number
  /** Value of a variable-length integer. */
  readonly value: number
  readonly body: Buffer
}

/** The part as raw messages: NodeProto and TensorProto. */
export interface OnnxPart {
  readonly nodes: readonly Buffer[]
  readonly initializers: readonly Buffer[]
}

const WIRE_VARINT = 0
const WIRE_FIXED64 = 1
const WIRE_LENGTH = 2

/** Fields of one message, in the order of the file. Throws for an incomplete message. */
export function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++]
      if (byte === undefined) throw new Error('the ONNX file is incomplete')
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const [field, wire] = [Math.floor(tag / 8), tag % 8]
    const value = wire === WIRE_VARINT ? varint() : 0
    const length = wire === WIRE_LENGTH ? varint() : wire === WIRE_FIXED64 ? 8 : wire === WIRE_VARINT ? 0 : 4
    fields.push({ field, wire, value, body: message.subarray(at, at + length) })
    at += length
  }
  return fields
}

/** Contents of the fields with number `wanted` that have a length. */
export const bodies = (fields: readonly Field[], wanted: number) =>
  fields.flatMap(({ field, wire, body }) => (field === wanted && wire === WIRE_LENGTH ? [body] : []))

/** Nodes and constants on which the value `name` depends, in the order of the file. */
export function partOf(model: Buffer, name: string): OnnxPart {
  // ModelProto: graph 7. GraphProto: node 1, initializer 5. NodeProto: input 1, output 2. TensorProto: name 8.
  const [graph] = bodies(fieldsOf(model), 7)
  if (!graph) throw new Error('the ONNX file has no graph')
  const parts = fieldsOf(graph)
  const needed = new Set([name])
  const nodes: Buffer[] = []
  for (const node of bodies(parts, 1).toReversed()) {
    const fields = fieldsOf(node)
    if (!bodies(fields, 2).some((output) => needed.has(output.toString()))) continue
    nodes.unshift(node)
    for (const input of bodies(fields, 1)) needed.add(input.toString())
  }
  if (nodes.length === 0) throw new Error(`the ONNX file computes no ${name}`)
  const initializers = bodies(parts, 5).filter((tensor) =>
    bodies(fieldsOf(tensor), 8).some((own) => needed.has(own.toString())),
  )
  return { nodes, initializers }
}

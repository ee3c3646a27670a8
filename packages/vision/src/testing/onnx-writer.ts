/**
 * Writes ONNX models (onnx.proto, IR version 8, opset 13) as protobuf wire bytes, with only the messages of converted
 * networks. Equal calls yield equal bytes: names are counters and nothing depends on the clock.
 */
const IR_VERSION = 8
const OPSET = 13

/** TensorProto.DataType. */
export const elementType = { float: 1, uint8: 2, int32: 6, int64: 7, float16: 10 } as const

export type TensorData = Float32Array | Float16Array | Int32Array | BigInt64Array
/** A number is written as INT, `{ float }` as FLOAT, an array as INTS. */
type Attribute = number | string | readonly number[] | { readonly float: number }
export type Attributes = Readonly<Record<string, Attribute>>

export interface ValueInfo {
  readonly name: string
  readonly type: number
  readonly shape: readonly number[]
}

export interface ModelInfo {
  readonly name: string
  readonly inputs: readonly ValueInfo[]
  readonly outputs: readonly ValueInfo[]
  /** Stored inside the file to document its origin. */
  readonly metadata: Readonly<Record<string, string>>
}

function varint(value: number | bigint): Buffer {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  do {
    const low = Number(rest & 127n)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 128 : low)
  } while (rest > 0n)
  return Buffer.from(bytes)
}

const WIRE_VARINT = 0
const WIRE_LENGTH = 2
const WIRE_FIXED32 = 5

const tag = (field: number, wire: number) => varint((field << 3) | wire)
const int = (field: number, value: number) => Buffer.concat([tag(field, WIRE_VARINT), varint(value)])
const bytes = (field: number, value: Buffer | string) => {
  const body = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([tag(field, WIRE_LENGTH), varint(body.length), body])
}
const message = (field: number, ...parts: Buffer[]) => bytes(field, Buffer.concat(parts))
function float(field: number, value: number): Buffer {
  const body = Buffer.alloc(4)
  body.writeFloatLE(value)
  return Buffer.concat([tag(field, WIRE_FIXED32), body])
}

/** AttributeProto: name 1, f 2, i 3, s 4, ints 8, type 20. */
function attribute(name: string, value: Attribute): Buffer {
  if (typeof value === 'string') return message(5, bytes(1, name), bytes(4, value), int(20, 3))
  if (typeof value === 'number') return message(5, bytes(1, name), int(3, value), int(20, 2))
  if ('float' in value) return message(5, bytes(1, name), float(2, value.float), int(20, 1))
  return message(5, bytes(1, name), ...value.map((item) => int(8, item)), int(20, 7))
}

function typeOf(data: TensorData): number {
  if (data instanceof Float32Array) return elementType.float
  if (data instanceof Float16Array) return elementType.float16
  return data instanceof Int32Array ? elementType.int32 : elementType.int64
}

/** ValueInfoProto: name 1, type 2 → tensor_type 1 → elem_type 1, shape 2 → dim 1 → dim_value 1. */
const valueInfo = (field: number, { name, type, shape }: ValueInfo) =>
  message(
    field,
    bytes(1, name),
    message(2, message(1, int(1, type), message(2, ...shape.map((size) => message(1, int(1, size)))))),
  )

export type OnnxGraph = ReturnType<typeof createOnnxGraph>

/** `prefix`: start of the names of values, different from that of an included part. */
export function createOnnxGraph(prefix = 'v') {
  const nodes: Buffer[] = []
  const initializers: Buffer[] = []
  let counter = 0
  const fresh = () => `${prefix}${counter++}`

  function addNode(op: string, inputs: readonly string[], outputs: readonly string[], attributes: Attributes): void {
    nodes.push(
      message(
        1,
        ...inputs.map((name) => bytes(1, name)),
        ...outputs.map((name) => bytes(2, name)),
        bytes(4, op),
        ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
      ),
    )
  }

  /** Adds a node with one output and returns that output's name. */
  function node(op: string, inputs: readonly string[], attributes: Attributes = {}, output = fresh()): string {
    addNode(op, inputs, [output], attributes)
    return output
  }

  /** Adds a node with `count` outputs. */
  function nodeWithOutputs(op: string, inputs: readonly string[], count: number, attributes: Attributes): string[] {
    const outputs = Array.from({ length: count }, fresh)
    addNode(op, inputs, outputs, attributes)
    return outputs
  }

  /** TensorProto: dims 1, data_type 2, name 8, raw_data 9 (little endian, like this machine's memory). */
  function constant(shape: readonly number[], data: TensorData): string {
    const name = fresh()
    const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    initializers.push(
      message(5, ...shape.map((size) => int(1, size)), int(2, typeOf(data)), bytes(8, name), bytes(9, raw)),
    )
    return name
  }

  const scalar = (value: number) => constant([], new Float32Array([value]))
  const integers = (values: ArrayLike<number>) =>
    constant([values.length], BigInt64Array.from(Array.from(values, (value) => BigInt(value))))

  /** Stores 16 bits and casts to 32 in the graph: half the file size. The runtime folds the cast at load. */
  function weights(shape: readonly number[], data: Float32Array | Float16Array): string {
    const half = data instanceof Float16Array ? data : new Float16Array(data)
    return node('Cast', [constant(shape, half)], { to: elementType.float })
  }

  /** Adds NodeProto and TensorProto messages of another file. */
  function include(part: { readonly nodes: readonly Buffer[]; readonly initializers: readonly Buffer[] }): void {
    nodes.push(...part.nodes.map((node) => bytes(1, node)))
    initializers.push(...part.initializers.map((tensor) => bytes(5, tensor)))
  }

  /** The bytes of the ModelProto. */
  function toModel({ name, inputs, outputs, metadata }: ModelInfo): Buffer {
    return Buffer.concat([
      int(1, IR_VERSION),
      bytes(2, 'vigia-convert-models'),
      message(
        7,
        ...nodes,
        bytes(2, name),
        ...initializers,
        ...inputs.map((value) => valueInfo(11, value)),
        ...outputs.map((value) => valueInfo(12, value)),
      ),
      message(8, bytes(1, ''), int(2, OPSET)),
      ...Object.entries(metadata).map(([key, value]) => message(14, bytes(1, key), bytes(2, value))),
    ])
  }

  return { node, nodeWithOutputs, constant, scalar, integers, weights, include, toModel }
}

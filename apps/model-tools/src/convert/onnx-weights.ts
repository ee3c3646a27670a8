import { bodies, fieldsOf } from '../onnx-part.ts'

/** One convolution: kernel [outputs, inputs, height, width], bias [outputs]. */
export interface Convolution {
  readonly shape: readonly number[]
  readonly kernel: Float16Array
  readonly bias: Float16Array
}

interface Node {
  readonly op: string
  readonly inputs: readonly string[]
  readonly output: string
}

/**
 * The convolutions of an ONNX file with 16-bit weights, in the order of its nodes. The bias is the third operand of the
 * convolution, or a constant that is added to its result. Throws for another number format and for a missing bias.
 */
export function readConvolutions(model: Buffer): Convolution[] {
  const [graph] = bodies(fieldsOf(model), 7)
  if (!graph) throw new Error('the ONNX file has no graph')
  const parts = fieldsOf(graph)
  // NodeProto: input 1, output 2, op_type 4.
  const nodes = bodies(parts, 1).map((node): Node => {
    const fields = fieldsOf(node)
    const texts = (field: number) => bodies(fields, field).map(String)
    return { op: texts(4)[0] ?? '', inputs: texts(1), output: texts(2)[0] ?? '' }
  })
  const constants = new Map(bodies(parts, 5).map(readConstant))
  const sources = new Map(nodes.map((node) => [node.output, node]))
  const constant = (name: string | undefined) => {
    const source = sources.get(name ?? '')
    const found = constants.get((source?.op === 'Cast' ? source.inputs[0] : name) ?? '')
    if (!found) throw new Error(`${name} is not a constant`)
    return found
  }
  /** The constant that an Add behind the value adds; a Transpose may be between. */
  const added = (value: string): string | undefined => {
    const user = nodes.find(({ op, inputs }) => ['Transpose', 'Add'].includes(op) && inputs[0] === value)
    return user?.op === 'Transpose' ? added(user.output) : user?.inputs[1]
  }
  return nodes
    .filter(({ op }) => op === 'Conv')
    .map(({ inputs, output }) => {
      const { shape, data: kernel } = constant(inputs[1])
      return { shape, kernel, bias: constant(inputs[2] ?? added(output)).data }
    })
}

/** TensorProto: dims 1, data_type 2, name 8, raw_data 9. Only 16-bit floats have data here. */
function readConstant(tensor: Buffer): [string, { shape: number[]; data: Float16Array }] {
  const fields = fieldsOf(tensor)
  const name = String(bodies(fields, 8)[0] ?? '')
  const raw = Buffer.from(bodies(fields, 9)[0] ?? [])
  const shape = fields.flatMap(({ field, value }) => (field === 1 ? [value] : []))
  const isHalf = fields.some(({ field, value }) => field === 2 && value === 10)
  const data = isHalf
    ? new Float16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length))
    : new Float16Array()
  return [name, { shape, data }]
}

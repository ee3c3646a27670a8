// The only import of onnxruntime; the order of the two lines matters (no-telemetry.ts).
import './no-telemetry.ts'

export { InferenceSession, Tensor } from 'onnxruntime-node'

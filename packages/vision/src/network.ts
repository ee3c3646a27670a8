import { VigiaError } from '@vigia/contracts/errors'
import type { Outputs } from './decoders/decoder.ts'
import { createInput } from './input.ts'
import type { ModelManifest } from './manifest.ts'
import type { InferenceSession } from './onnxruntime.ts'
import { openSession, type SessionOptions } from './session.ts'

export interface Network {
  /** The picture that `run` wants: stretched to this size, packed rows, 3 bytes a pixel. */
  readonly input: { readonly width: number; readonly height: number; readonly format: 'rgb' | 'bgr' }
  /**
   * One picture through the network; `read` takes what it wants from the outputs, which are gone afterwards. Calls are served one after
   * the other. `packed` must stay as it is until the promise settles; it rejects with RangeError when `packed` has not the size of
   * `input`.
   */
  run<T>(packed: Uint8Array, read: (outputs: Outputs) => T): Promise<T>
  /** Waits for the runs that are under way and frees the memory. */
  close(): Promise<void>
}

/**
 * Loads the model and checks it with one run on an empty picture, whose outputs `check` must be able to read. Throws VigiaError `interno`
 * when it cannot be used.
 */
export async function openNetwork(
  manifest: ModelManifest,
  options: SessionOptions,
  check: (outputs: Outputs) => void,
): Promise<Network> {
  const session = await openSession(manifest, options)
  const input = createInput(manifest)
  const inputName = session.inputNames[0] ?? ''
  const size = input.width * input.height * 3
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  async function run<T>(packed: Uint8Array, read: (outputs: Outputs) => T): Promise<T> {
    return read((await session.run({ [inputName]: input.fill(packed) })) as unknown as Outputs)
  }

  try {
    checkInput(session.inputMetadata, manifest.entrada.tipo, input.shape)
    await run(new Uint8Array(size), check)
  } catch (cause) {
    await session.release()
    const reason = cause instanceof VigiaError ? cause.detalhe : 'confira a entrada, o decodificador e os rótulos.'
    throw new VigiaError('interno', {
      detalhe: `O modelo ${manifest.id} não combina com o seu manifesto: ${reason}`,
      cause,
    })
  }

  return {
    input: { width: input.width, height: input.height, format: manifest.entrada.cores },
    async run(packed, read) {
      if (packed.length !== size) throw new RangeError(`${packed.length} bytes of picture, the model wants ${size}`)
      if (closed) throw new Error('the network is closed')
      const result = last.then(() => run(packed, read))
      last = result.catch(() => undefined)
      return result
    },
    async close() {
      if (closed) return
      closed = true
      await last
      await session.release()
    },
  }
}

/** What the file itself says of its input against what the manifest says. A side that the file leaves open is a name, or below 1. */
function checkInput(inputs: readonly InferenceSession.ValueMetadata[], type: string, shape: readonly number[]): void {
  const [only] = inputs
  const fits =
    inputs.length === 1 &&
    only?.isTensor === true &&
    only.type === type &&
    only.shape.length === shape.length &&
    only.shape.every((side, axis) => side === shape[axis] || typeof side === 'string' || side < 1)
  if (fits) return
  const file = inputs.map((input) => (input.isTensor ? `${input.type} [${input.shape}]` : 'outra coisa')).join(' e ')
  throw new VigiaError('interno', { detalhe: `a entrada do arquivo é ${file}, a do manifesto é ${type} [${shape}].` })
}

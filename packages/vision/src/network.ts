import { dirname, join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import type { Outputs } from './decoders/decoder.ts'
import { createInput } from './input.ts'
import { fasterVersion, type ModelManifest } from './manifest.ts'
import { type InferenceSession, Tensor } from './onnxruntime.ts'
import { compare, proofPicture, readProof, sample } from './proof.ts'
import { openSession, type SessionOptions } from './session.ts'

export interface Network {
  /** Portuguese line: why the faster version of the model is not used; null: it is, or there is none. */
  readonly aviso: string | null
  /** Size and format of the pictures for `run`: stretched to this size, packed rows, 3 bytes a pixel. */
  readonly input: { readonly width: number; readonly height: number; readonly format: 'rgb' | 'bgr' }
  /**
   * Runs the network on one picture; `read` extracts the result from the outputs, which are valid only during that
   * call. Calls run in order. `packed` must not change until the promise settles. Rejects with RangeError when the size
   * of `packed` differs from `input`.
   */
  run<T>(packed: Uint8Array, read: (outputs: Outputs) => T): Promise<T>
  /** Waits for the current runs and frees the memory. */
  close(): Promise<void>
}

/**
 * Loads the model and checks it with one run, on the picture of its proof or on an empty one. `check` must accept the
 * outputs. `sizeInput` names an input beside the picture that gets its width and height. A faster version that does not
 * pass is replaced by the normal one. Throws VigiaError `interno` for an unusable model.
 */
export async function openNetwork(
  manifest: ModelManifest,
  options: SessionOptions,
  check: (outputs: Outputs) => void,
  sizeInput?: string,
): Promise<Network> {
  const faster = fasterVersion(manifest)
  if (!faster) return open(manifest, options, check, sizeInput)
  try {
    return await open(faster, options, check, sizeInput)
  } catch (cause) {
    if (!(cause instanceof VigiaError)) throw cause
    const normal = await open(manifest, options, check, sizeInput)
    return { ...normal, aviso: `A versão normal do modelo ${manifest.id} é usada. ${cause.detalhe}` }
  }
}

async function open(
  manifest: ModelManifest,
  options: SessionOptions,
  check: (outputs: Outputs) => void,
  sizeInput?: string,
): Promise<Network> {
  const session = await openSession(manifest, options)
  const input = createInput(manifest)
  const pictureName = session.inputNames.find((name) => name !== sizeInput) ?? ''
  const { largura, altura } = manifest.entrada
  const sizes = BigInt64Array.of(BigInt(largura), BigInt(altura))
  const others = sizeInput === undefined ? {} : { [sizeInput]: new Tensor('int64', sizes, [1, 2]) }
  const size = input.width * input.height * 3
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  async function run<T>(packed: Uint8Array, read: (outputs: Outputs) => T): Promise<T> {
    return read((await session.run({ ...others, [pictureName]: input.fill(packed) })) as unknown as Outputs)
  }

  try {
    const inputs = session.inputMetadata.filter(({ name }) => name !== sizeInput)
    if (sizeInput !== undefined && inputs.length === session.inputMetadata.length) {
      const file = session.inputNames.join(' e ')
      throw new VigiaError('interno', { detalhe: `falta a entrada ${sizeInput}; o arquivo tem ${file}.` })
    }
    checkInput(inputs, manifest.entrada.tipo, input.shape)
    const { prova } = manifest
    const computed = await run(prova ? proofPicture(input.width, input.height) : new Uint8Array(size), (outputs) => {
      check(outputs)
      return sample(outputs)
    })
    if (prova) compare(computed, await readProof(join(dirname(manifest.caminho), prova)))
  } catch (cause) {
    await session.release()
    const reason = cause instanceof VigiaError ? cause.detalhe : 'confira a entrada, o decodificador e os rótulos.'
    throw new VigiaError('interno', {
      detalhe: `O modelo ${manifest.id} não combina com o seu manifesto: ${reason}`,
      cause,
    })
  }

  return {
    aviso: null,
    input: { width: input.width, height: input.height, format: manifest.entrada.cores },
    async run(packed, read) {
      if (packed.length !== size) throw new RangeError(`${packed.length} bytes of picture, the model needs ${size}`)
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

/**
 * Compares the input metadata of the file with the manifest; throws VigiaError `interno` for a difference. A variable
 * axis in the file is a name or below 1.
 */
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

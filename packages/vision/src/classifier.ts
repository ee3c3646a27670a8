import { VigiaError } from '@vigia/contracts/errors'
import { mismatch, type Outputs, onlyOutput } from './decoders/decoder.ts'
import type { ModelManifest } from './manifest.ts'
import { type Network, openNetwork } from './network.ts'
import type { SessionOptions } from './session.ts'

/** A network that classifies a whole picture, without boxes. */
export interface Classifier {
  /** Registry id of the model. */
  readonly id: string
  /** Size and format of the pictures for `classify`. */
  readonly input: Network['input']
  readonly labels: ReadonlySet<string>
  /** Label → probability 0–1; the labels are independent. `packed` as in `Network.run`. */
  classify(packed: Uint8Array): Promise<ReadonlyMap<string, number>>
  /** Waits for the current runs and frees the memory. */
  close(): Promise<void>
}

/**
 * Loads a model of the decoder `classificador`: one output [1, classes] of probabilities. Throws VigiaError `interno`
 * for an unusable model.
 */
export async function createClassifier(manifest: ModelManifest, options: SessionOptions = {}): Promise<Classifier> {
  const { id, rotulos } = manifest
  if (manifest.decodificador !== 'classificador') {
    throw new VigiaError('interno', { detalhe: `O modelo ${id} não é um classificador.` })
  }

  function read(outputs: Outputs): ReadonlyMap<string, number> {
    const { name, found } = onlyOutput(outputs)
    const [rows, width] = found.dims
    if (found.dims.length !== 2 || rows !== 1 || width !== rotulos.length) {
      throw mismatch(`a saída ${name} é [${found.dims}], os rótulos pedem [1,${rotulos.length}].`)
    }
    const values = new Map<string, number>()
    for (const [index, label] of rotulos.entries()) {
      const value = found.data[index] ?? 0
      if (!(value >= 0 && value <= 1)) throw mismatch(`a saída ${name} não é de probabilidades: há o valor ${value}.`)
      if (label) values.set(label, Math.max(value, values.get(label) ?? 0))
    }
    return values
  }

  const network = await openNetwork(manifest, options, read)
  return {
    id,
    input: network.input,
    labels: new Set(rotulos.filter(Boolean)),
    classify: (packed) => network.run(packed, read),
    close: () => network.close(),
  }
}

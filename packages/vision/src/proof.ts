import { readFile } from 'node:fs/promises'
import { VigiaError } from '@vigia/contracts/errors'
import { z } from 'zod'
import type { Outputs } from './decoders/decoder.ts'

/** Values of one output that are stored. */
const SAMPLES = 64
/**
 * Largest root mean square difference: a share of the deviation of the stored values, and what is added to it.
 * Processors differ in the last bits, and in single steps of 8-bit values. A saturated product changes most values.
 */
const SHARE = 0.1
const SLACK = 0.02

const proofSchema = z.record(z.string(), z.array(z.number()).min(1).max(SAMPLES))
/** Values of each output for `proofPicture`. */
export type Proof = z.output<typeof proofSchema>

/** A picture of smooth shapes with some noise, the same on every machine: packed rows, 3 bytes a pixel. */
export function proofPicture(width: number, height: number): Uint8Array {
  const packed = new Uint8Array(width * height * 3)
  let noise = 7
  for (let at = 0; at < packed.length; at++) {
    const [column, row] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)]
    noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0
    const shape = ((column * (at % 3 === 0 ? 3 : 2)) ^ (row * (at % 3 === 1 ? 3 : 2))) & 0xff
    packed[at] = (shape * 7 + ((noise >>> 16) & 0xff)) >> 3
  }
  return packed
}

/** Evenly spread values of each output. */
export function sample(outputs: Outputs): Proof {
  const entries = Object.entries(outputs).map(([name, { data }]): [string, number[]] => {
    const count = Math.min(SAMPLES, data.length)
    const at = (index: number) => Number(data[Math.floor((index * data.length) / count)] ?? 0)
    return [name, Array.from({ length: count }, (_, index) => Math.round(at(index) * 1e4) / 1e4)]
  })
  return Object.fromEntries(entries)
}

/** Reads a stored proof. Throws VigiaError `interno` for an unreadable one. */
export async function readProof(path: string): Promise<Proof> {
  try {
    return proofSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    throw new VigiaError('interno', { detalhe: `a prova em ${path} não pode ser lida.`, cause })
  }
}

/** Compares the values for `proofPicture` with the stored ones. Throws VigiaError `interno` for a difference. */
export function compare(computed: Proof, proof: Proof): void {
  for (const [name, wanted] of Object.entries(proof)) {
    const found = computed[name] ?? []
    const mean = wanted.reduce((sum, value) => sum + value, 0) / wanted.length
    const power = (of: (value: number, at: number) => number) =>
      Math.sqrt(wanted.reduce((sum, value, at) => sum + of(value, at) ** 2, 0) / wanted.length)
    const error = power((value, at) => (found[at] ?? Infinity) - value)
    if (error <= SLACK + SHARE * power((value) => value - mean)) continue
    throw new VigiaError('interno', { detalhe: `neste processador a saída ${name} não dá os valores da prova.` })
  }
}

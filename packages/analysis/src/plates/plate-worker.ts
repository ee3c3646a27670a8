import { getPriority, setPriority } from 'node:os'
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { RgbPicture } from './picture.ts'
import { type PlateFound, readPlates } from './read-plates.ts'
import { textModelFiles } from './text-model-files.ts'
import { openTextNetworks } from './text-networks.ts'

/** Program of the worker thread of `createPlateReader`. It reads the pictures in order. */

export interface ToPlateWorker {
  readonly number: number
  readonly picture: RgbPicture
  readonly side: number
}

export type FromPlateWorker =
  | { readonly number: number; readonly found: readonly PlateFound[] }
  | { readonly reason: string }

/** As in the thread of the other models (vision, model-worker.ts). */
const NICENESS = 5
setPriority(Math.max(NICENESS, getPriority()))

const port = parentPort as MessagePort
const send = (message: FromPlateWorker): void => port.postMessage(message)
const opening = openTextNetworks(textModelFiles)
let turn: Promise<unknown> = opening

port.on('message', ({ number, picture, side }: ToPlateWorker) => {
  turn = turn
    .then(async () => send({ number, found: await readPlates(await opening, picture, side) }))
    .catch((error: unknown) => send({ reason: String(error) }))
})

import { parentPort, workerData } from 'node:worker_threads'
import { type FuzzOptions, type FuzzResult, runFuzz } from './run.ts'

/** Plays the dialogues of `workerData`, which are FuzzOptions. */

/** The number of played dialogues, then the result. */
export type FromThread = { readonly done: number } | { readonly result: FuzzResult }

const send = (message: FromThread) => parentPort?.postMessage(message)
const result = await runFuzz({ ...(workerData as FuzzOptions), onProgress: (done) => send({ done }) })
send({ result })

import type { PlateReader } from './passage-model.ts'
import { readPlates } from './read-plates.ts'
import { textModelFiles } from './text-model-files.ts'
import { openTextNetworks } from './text-networks.ts'

/**
 * Opens the networks at the first reading. A failure is reported once; then no plate is found, and passages have none.
 * @param onFailed receives the first error
 */
export function createPlateReader(onFailed: (error: unknown) => void): PlateReader {
  let opening: ReturnType<typeof openTextNetworks> | null = null
  let failed = false
  const fail = (error: unknown): [] => {
    if (!failed) onFailed(error)
    failed = true
    return []
  }
  return async (picture, side) => {
    if (failed) return []
    opening ??= openTextNetworks(textModelFiles)
    try {
      return await readPlates(await opening, picture, side)
    } catch (error) {
      return fail(error)
    }
  }
}

import { availableMemory } from '@vigia/runtime/process-memory'

const MIB = 1024 * 1024
/** Part of the memory for all capture processes together. */
export const PART_OF_MEMORY = 0.75
/** A process with its models needs this much, also on a small machine. */
export const LEAST_SHARE_BYTES = 768 * MIB

/** Largest memory of a capture process that reads `cameras` of all `total` cameras, in bytes. */
export function memoryShare(cameras: number, total: number, memory: number = availableMemory()): number {
  const all = PART_OF_MEMORY * memory
  return Math.min(all, Math.max(LEAST_SHARE_BYTES, (all * cameras) / Math.max(1, total)))
}

/** The cameras of one capture process. */
export interface Slot {
  readonly id: number
  readonly cameras: Set<number>
  /** Reserved for one camera, which crashed its process repeatedly and must not affect others. */
  readonly isolated: boolean
}

export interface Assignment {
  readonly slots: ReadonlyMap<number, Slot>
  slotOf(cameraId: number): Slot | null
  /** Assigns a slot to a camera without moving any other camera. */
  place(cameraId: number): Slot
  remove(cameraId: number): void
  /** Moves a camera to its own process. */
  isolate(cameraId: number): Slot
}

/** Assigns cameras to capture processes. A camera moves only if necessary, because moving interrupts it. */
export function createAssignment(perProcess: number): Assignment {
  const slots = new Map<number, Slot>()
  let nextId = 1

  const open = (isolated: boolean): Slot => {
    const slot = { id: nextId++, cameras: new Set<number>(), isolated }
    slots.set(slot.id, slot)
    return slot
  }
  const slotOf = (cameraId: number) => [...slots.values()].find((slot) => slot.cameras.has(cameraId)) ?? null
  const remove = (cameraId: number) => {
    const slot = slotOf(cameraId)
    slot?.cameras.delete(cameraId)
    if (slot?.cameras.size === 0) slots.delete(slot.id)
  }

  return {
    slots,
    slotOf,
    place(cameraId) {
      const hasCapacity = (slot: Slot) => !slot.isolated && slot.cameras.size < perProcess
      const slot = slotOf(cameraId) ?? [...slots.values()].find(hasCapacity) ?? open(false)
      slot.cameras.add(cameraId)
      return slot
    },
    remove,
    isolate(cameraId) {
      const current = slotOf(cameraId)
      if (current?.isolated) return current
      remove(cameraId)
      const slot = open(true)
      slot.cameras.add(cameraId)
      return slot
    },
  }
}

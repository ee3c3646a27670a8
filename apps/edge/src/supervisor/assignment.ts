/** One capture process to be: its cameras, and whether it is kept for a single one. */
export interface Slot {
  readonly id: number
  readonly cameras: Set<number>
  /** Its camera crashed its process again and again and may take no other down. */
  readonly isolated: boolean
}

export interface Assignment {
  readonly slots: ReadonlyMap<number, Slot>
  slotOf(cameraId: number): Slot | null
  /** Gives a camera a place and leaves every other where it is. */
  place(cameraId: number): Slot
  remove(cameraId: number): void
  /** Moves a camera to a process of its own. */
  isolate(cameraId: number): Slot
}

/** Which camera is read by which process. A camera moves only when it must, since moving interrupts it. */
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
      const room = (slot: Slot) => !slot.isolated && slot.cameras.size < perProcess
      const slot = slotOf(cameraId) ?? [...slots.values()].find(room) ?? open(false)
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

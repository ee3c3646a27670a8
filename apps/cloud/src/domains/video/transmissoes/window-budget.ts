import type { StreamWindow } from './stream-window.ts'

/** A stream with a window. */
interface WindowHolder {
  readonly window: Pick<StreamWindow, 'heldBytes' | 'neededBytes' | 'removeOldest'>
  /** Nobody watches it. */
  readonly isIdle: boolean
  /** Ends the stream for lack of memory. */
  end(): void
}

/** Share of one window in the budget. */
export interface WindowShare {
  /** Must be called after each change of the window. It may shorten windows and end streams. */
  changed(): void
  release(): void
}

/** Memory of the windows of all live streams of this process, divided between root Empresas. */
export interface WindowBudget {
  readonly heldBytes: number
  /** null: no memory, so that the stream must be refused. */
  admit(rootId: number, holder: WindowHolder): WindowShare | null
}

/** Minimum memory of a window: a tile of 0.5 Mbit/s with its newest two segments. */
export const LEAST_WINDOW_BYTES = 512 * 1024

interface Entry {
  readonly holder: WindowHolder
  readonly root: Root
  bytes: number
}

interface Root {
  readonly id: number
  /** Oldest first. */
  readonly entries: Set<Entry>
  bytes: number
}

const neededBy = ({ entries }: Root): number =>
  [...entries].reduce((sum, { holder }) => sum + Math.max(LEAST_WINDOW_BYTES, holder.window.neededBytes), 0)

/**
 * Above `bytes` the root with the largest windows gives up memory: first older segments, then a stream that nobody
 * watches, then its newest stream. This root has more than an equal share, so that no other root pays for it. A new
 * stream is admitted while the newest segments of all windows fit, or while those of its root fit into an equal share.
 */
export function createWindowBudget(bytes: number): WindowBudget {
  /** Roots with a window. */
  const roots = new Map<number, Root>()
  let held = 0

  function release(entry: Entry): void {
    const { root } = entry
    if (!root.entries.delete(entry)) return
    root.bytes -= entry.bytes
    held -= entry.bytes
    if (root.entries.size === 0) roots.delete(root.id)
  }

  function count(entry: Entry): void {
    const { heldBytes } = entry.holder.window
    entry.root.bytes += heldBytes - entry.bytes
    held += heldBytes - entry.bytes
    entry.bytes = heldBytes
  }

  function end(entry: Entry): void {
    release(entry)
    entry.holder.end()
  }

  function shorten(entry: Entry): void {
    entry.holder.window.removeOldest()
    count(entry)
  }

  const spareOf = ({ holder: { window } }: Entry) => window.heldBytes - window.neededBytes

  /** Frees memory of a root with windows. */
  function shrink({ entries }: Root): void {
    const [first, ...others] = entries
    if (!first) return
    const largest = others.reduce((most, one) => (spareOf(one) > spareOf(most) ? one : most), first)
    if (spareOf(largest) > 0 || others.length === 0) shorten(largest)
    else end([...entries].find(({ holder }) => holder.isIdle) ?? others.at(-1) ?? first)
  }

  const largestRoot = () => [...roots.values()].reduce((most, one) => (one.bytes > most.bytes ? one : most))

  function fits(rootId: number): boolean {
    const needed = [...roots.values()].reduce((sum, root) => sum + neededBy(root), LEAST_WINDOW_BYTES)
    if (needed <= bytes) return true
    const own = roots.get(rootId)
    const equal = bytes / (roots.size + (own ? 0 : 1))
    return (own ? neededBy(own) : 0) + LEAST_WINDOW_BYTES <= equal
  }

  /** The oldest stream without viewers of this root, or of one with more than an equal share. */
  function idleFor(rootId: number): Entry | undefined {
    const equal = bytes / Math.max(1, roots.size)
    return [...roots.values()]
      .filter((root) => root.id === rootId || neededBy(root) > equal)
      .flatMap(({ entries }) => [...entries])
      .find(({ holder }) => holder.isIdle)
  }

  return {
    get heldBytes() {
      return held
    },
    admit(rootId, holder) {
      while (!fits(rootId)) {
        const idle = idleFor(rootId)
        if (!idle) return null
        end(idle)
      }
      const root: Root = roots.get(rootId) ?? { id: rootId, entries: new Set(), bytes: 0 }
      roots.set(rootId, root)
      const entry: Entry = { holder, root, bytes: 0 }
      root.entries.add(entry)
      return {
        changed() {
          if (!root.entries.has(entry)) return
          count(entry)
          while (held > bytes) shrink(largestRoot())
        },
        release: () => release(entry),
      }
    },
  }
}

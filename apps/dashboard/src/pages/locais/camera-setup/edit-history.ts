/** Earlier, current and undone states of an editor. */
export interface EditHistory<T> {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
}

/** Number of steps that can be undone. */
const STEPS = 200

export const startHistory = <T>(present: T): EditHistory<T> => ({ past: [], present, future: [] })

/** Adds a step. A state that is the present one adds none. */
export const step = <T>(history: EditHistory<T>, next: T): EditHistory<T> =>
  Object.is(next, history.present)
    ? history
    : { past: [...history.past, history.present].slice(-STEPS), present: next, future: [] }

/** Replaces the present state without a step of its own. */
export const amend = <T>(history: EditHistory<T>, next: T): EditHistory<T> => ({
  ...history,
  present: next,
  future: [],
})

export function undo<T>(history: EditHistory<T>): EditHistory<T> {
  if (history.past.length === 0) return history
  const previous = history.past.at(-1) as T
  return { past: history.past.slice(0, -1), present: previous, future: [history.present, ...history.future] }
}

export function redo<T>(history: EditHistory<T>): EditHistory<T> {
  if (history.future.length === 0) return history
  const [next, ...future] = history.future as [T, ...T[]]
  return { past: [...history.past, history.present], present: next, future }
}

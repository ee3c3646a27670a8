import type { Supervisor, SupervisorOptions } from '../supervisor.ts'

/** Receivers of a supervisor whose messages nobody reads. */
export const unread = {
  states: () => ({}),
  onEvents: () => {},
  onStates: () => {},
  onEvidence: () => {},
  onDiscard: () => {},
  onPassage: () => {},
  onClip: () => {},
  onNoClip: () => {},
  onInterrupted: () => {},
  onChange: () => {},
} satisfies Partial<SupervisorOptions>

/** Members of a supervisor that reads no camera. */
export const readsNothing = {
  status: () => null,
  picture: async () => null,
  stream: () => () => {},
  waiting: () => [],
  restart: () => false,
  pidOf: () => undefined,
  processes: () => [],
} satisfies Partial<Supervisor>

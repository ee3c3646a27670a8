/** Message of a program to its supervisor over the IPC channel. */
export type LifeSign =
  /** The start-up is complete. */
  | { readonly pronto: true; readonly porta?: number | undefined }
  /** The event loop runs, and the program's own check has passed. */
  | { readonly batida: true }
  /** A step begins that may block the event loop; the next sign comes within `limiteMs`. */
  | { readonly etapa: string; readonly limiteMs: number }
  /** The demonstration was ended: its simulator is of no more use. */
  | { readonly demonstracao: 'encerrada' }

/** Environment variable with the interval in ms at which a supervisor expects `batida` messages. */
export const BEAT_SETTING = 'VIGIA_BATIDA_MS'

/** Longest time from the start of a process to its first sign of life, and between two signs of its start-up. */
export const START_MS = 60_000

import type { SenderValues } from './settings.ts'

/** Settings of the senders, read at each send, so that a change reaches every process. */
export type SenderSettings = { readonly [Kind in keyof SenderValues]: () => Promise<SenderValues[Kind]> }

/** Settings that do not change while the process runs. */
export const fixedSettings = ({ email, twilio, telegram }: SenderValues): SenderSettings => ({
  email: async () => email,
  twilio: async () => twilio,
  telegram: async () => telegram,
})

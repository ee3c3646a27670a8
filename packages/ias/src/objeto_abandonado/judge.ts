import { detectionJudge } from '../judging.ts'

/** Bags are what such networks see least well: a hint is enough, and it is looked for twice. Not measured, for want of footage. */
export const judge = detectionJudge('objetos', { confirm: 0.05, share: 0, factors: [2, 3] })

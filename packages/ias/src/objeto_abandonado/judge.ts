import { detectionJudge } from '../judging.ts'

/**
 * Such networks detect bags least reliably: a low confidence is enough, in regions of two sizes. Not measured: there is
 * no suitable footage.
 */
export const judge = detectionJudge('objetos', { confirm: 0.05, share: 0, factors: [2, 3] })

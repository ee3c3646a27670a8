import { detectionJudge } from '../judging.ts'

/**
 * Such networks detect bags least reliably: a lower confidence is enough, in regions of two sizes. Nothing refutes,
 * because no footage shows how often the model misses a bag.
 */
export const judge = detectionJudge('objetos', { confirm: 0.4, absent: 0, share: 0, factors: [2, 3] })

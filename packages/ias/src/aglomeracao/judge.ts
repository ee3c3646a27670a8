import { detectionJudge, usualDemand } from '../judging.ts'

/**
 * Half of the people must be confirmed. The second model misses people behind others, but must refute a crowd of
 * shadows.
 */
export const judge = detectionJudge('objetos', { ...usualDemand, share: 0.5 })

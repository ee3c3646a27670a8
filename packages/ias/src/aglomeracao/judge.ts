import { detectionJudge, usualDemand } from '../judging.ts'

/**
 * Half of the people must be confirmed: the second model misses people behind others, and a crowd of shadows must be
 * refuted.
 */
export const judge = detectionJudge('objetos', { ...usualDemand, share: 0.5 })

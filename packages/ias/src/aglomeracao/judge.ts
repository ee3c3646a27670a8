import { scoredJudge } from '../judging.ts'

/**
 * Half of the people must be real. The second model misses people behind others, but must refute a crowd of shadows.
 */
export const judge = scoredJudge(0.5)

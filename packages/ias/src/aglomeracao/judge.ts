import { detectionJudge, usualDemand } from '../judging.ts'

/** Half of them: the second model overlooks people who stand behind others, and a crowd of shadows is none. */
export const judge = detectionJudge('objetos', { ...usualDemand, share: 0.5 })

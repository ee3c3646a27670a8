import { detectionJudge } from '../judging.ts'

export const judge = detectionJudge('objetos')
